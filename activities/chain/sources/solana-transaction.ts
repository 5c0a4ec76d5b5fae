import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

/** u64: values beyond a double's precision come as text. */
const lamports = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)]).transform(BigInt)
const tokenBalance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string(),
  // Missing in transactions from before 2022.
  owner: z.string().optional(),
  uiTokenAmount: z.object({
    amount: z
      .string()
      .regex(/^\d{1,20}$/)
      .transform(BigInt),
  }),
})

/** Result of getTransaction with the encoding jsonParsed, of any version. */
export const solanaTransaction = z
  .object({
    slot: z.int().min(0),
    blockTime: z.int().nullish(),
    meta: z.object({
      err: z.unknown().optional(),
      fee: lamports,
      preBalances: z.array(lamports),
      postBalances: z.array(lamports),
      preTokenBalances: z.array(tokenBalance).nullish(),
      postTokenBalances: z.array(tokenBalance).nullish(),
      loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
    }),
    transaction: z.object({
      signatures: z.array(z.string()).min(1),
      message: z.object({
        accountKeys: z.array(z.object({ pubkey: z.string() }).transform(({ pubkey }) => pubkey)).min(1),
      }),
    }),
  })
  .transform(({ transaction, meta, ...rest }) => {
    const { accountKeys } = transaction.message
    const { loadedAddresses: loaded } = meta
    // Keys from lookup tables may be listed with the others or separately.
    const isWhole = accountKeys.length === meta.preBalances.length || !loaded
    const keys = isWhole ? accountKeys : [...accountKeys, ...loaded.writable, ...loaded.readonly]
    return { ...rest, meta, signature: transaction.signatures[0]!, keys }
  })
  .refine(
    ({ keys, meta }) => keys.length === meta.preBalances.length && keys.length === meta.postBalances.length,
    'the number of balances differs from the number of accounts',
  )

export type SolanaTransaction = z.output<typeof solanaTransaction>

/** The change of one token account by a transaction. */
interface TokenChange {
  index: number
  mint: string
  /** null: this transaction created the account (before) or closed it (after) */
  before: { owner: string; amount: bigint } | null
  after: { owner: string; amount: bigint } | null
}

/**
 * Converts balance changes to one-sided transfers: the balance after less the balance before, without the
 * fee. Token accounts count for their owner. A failed transaction moves only the fee. `owners`: owners of
 * token accounts, for transactions that do not state them. Returns the owners that the transaction states.
 */
export function decodeSolanaTransaction(
  tx: SolanaTransaction,
  context: { atMs: number; owners: ReadonlyMap<string, string> },
): { transaction: ChainTransaction; transfers: ChainTransfer[]; tokenAccounts: Map<string, string> } {
  const { meta, keys } = tx
  const { atMs } = context
  const success = meta.err === null || meta.err === undefined
  const transaction: ChainTransaction = {
    hash: tx.signature,
    blockNumber: tx.slot,
    blockHash: String(tx.slot),
    atMs,
    index: 0,
    from: keys[0]!,
    to: null,
    value: 0n,
    fee: meta.fee,
    success,
    selector: null,
  }
  const changes = tokenChanges(tx, context.owners)
  const tokenAccounts = new Map(
    changes.map(({ index, after, before }) => [keys[index]!, (after ?? before)!.owner]),
  )
  if (!success) return { transaction, transfers: [], tokenAccounts }

  const transfers: ChainTransfer[] = []
  const add = (kind: TransferKind, token: string | null, change: Change) => {
    if (change.raw === 0n) return
    const [from, to] = change.raw < 0n ? [change.party, NOBODY] : [NOBODY, change.party]
    const raw = change.raw < 0n ? -change.raw : change.raw
    const place = { txHash: tx.signature, blockNumber: tx.slot, blockHash: String(tx.slot), atMs }
    const key = { kind, position: change.position, item: change.item ?? 0 }
    transfers.push({ ...place, ...key, token, tokenId: null, from, to, raw, fanOut: 1 })
  }
  const rents = rentsByOwner(tx, changes)
  keys.forEach((party, position) => {
    const paid = position === 0 ? meta.fee : 0n
    const raw = meta.postBalances[position]! - meta.preBalances[position]! + paid
    const rent = rents.get(party) ?? 0n
    // Rent counts only if the account's own change covers it: someone else may have paid it.
    const isOwnRent = rent > 0n ? raw <= -rent : raw >= -rent
    add('native', null, { party, position, raw: isOwnRent ? raw + rent : raw })
    if (isOwnRent) add('rent', null, { party, position, raw: -rent })
  })
  for (const { index: position, mint, before, after } of changes) {
    if (before?.owner === after?.owner || !before || !after) {
      const party = (after ?? before)!.owner
      add('spl', mint, { party, position, raw: (after?.amount ?? 0n) - (before?.amount ?? 0n) })
      continue
    }
    // The token account got another owner.
    add('spl', mint, { party: before.owner, position, raw: -before.amount })
    add('spl', mint, { party: after.owner, position, item: 1, raw: after.amount })
  }
  countReceivers(transfers)
  return { transaction, transfers, tokenAccounts }
}

interface Change {
  party: string
  position: number
  item?: number
  /** positive in, negative out */
  raw: bigint
}

function tokenChanges({ meta, keys }: SolanaTransaction, owners: ReadonlyMap<string, string>): TokenChange[] {
  const changes = new Map<number, TokenChange>()
  for (const side of ['before', 'after'] as const)
    for (const row of (side === 'before' ? meta.preTokenBalances : meta.postTokenBalances) ?? []) {
      const { accountIndex: index, mint } = row
      const change = changes.get(index) ?? { index, mint, before: null, after: null }
      const owner = row.owner ?? owners.get(keys[index]!) ?? keys[index]!
      change[side] = { owner, amount: row.uiTokenAmount.amount }
      changes.set(index, change)
    }
  return [...changes.values()]
}

/** Increase of the lamports in token accounts by owner, without wrapped SOL. */
function rentsByOwner({ meta }: SolanaTransaction, changes: readonly TokenChange[]): Map<string, bigint> {
  const rents = new Map<string, bigint>()
  for (const { index, mint, before, after } of changes) {
    const wrapped = mint === WRAPPED_SOL ? (after?.amount ?? 0n) - (before?.amount ?? 0n) : 0n
    const kept = meta.postBalances[index]! - meta.preBalances[index]! - wrapped
    const { owner } = (after ?? before)!
    rents.set(owner, (rents.get(owner) ?? 0n) + kept)
  }
  return rents
}

/** Sets the number of owners that receive each token, which distinguishes airdrops from payments. */
function countReceivers(transfers: ChainTransfer[]): void {
  const receivers = new Map<string | null, Set<string>>()
  for (const { token, to } of transfers)
    if (to !== NOBODY) receivers.set(token, (receivers.get(token) ?? new Set()).add(to))
  for (const one of transfers)
    if (one.token !== null) one.fanOut = Math.max(1, receivers.get(one.token)?.size ?? 0)
}
