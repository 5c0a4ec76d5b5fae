import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

/** u64: more than a double holds comes as text. */
const lamports = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)]).transform(BigInt)
const tokenBalance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string(),
  // Nodes of before 2022 do not tell.
  owner: z.string().optional(),
  uiTokenAmount: z.object({
    amount: z
      .string()
      .regex(/^\d{1,20}$/)
      .transform(BigInt),
  }),
})

/** Result of getTransaction with the encoding jsonParsed, whatever the version. */
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
    // Keys out of lookup tables are listed with the others, or apart from them.
    const isWhole = accountKeys.length === meta.preBalances.length || !loaded
    const keys = isWhole ? accountKeys : [...accountKeys, ...loaded.writable, ...loaded.readonly]
    return { ...rest, meta, signature: transaction.signatures[0]!, keys }
  })
  .refine(
    ({ keys, meta }) => keys.length === meta.preBalances.length && keys.length === meta.postBalances.length,
    'not one balance for each account',
  )

export type SolanaTransaction = z.output<typeof solanaTransaction>

/** What a transaction changes of one token account. */
interface TokenChange {
  index: number
  mint: string
  /** null: the account was made, or closed, by this transaction */
  before: { owner: string; amount: bigint } | null
  after: { owner: string; amount: bigint } | null
}

/**
 * Changes of balances as transfers with one party: what each account has after less what it had before, the fee apart.
 * Token accounts count for their owner. A failed transaction moves the fee and nothing else.
 * `owners`: of token accounts, for transactions that do not tell. Gives the owners that it tells.
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
    // Only what the account can have given, or got back, is rent: others may have paid it.
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
    // The account itself has changed hands.
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

/** Lamports that token accounts keep beyond wrapped ones, by owner: what is more than before. */
function rentsByOwner({ meta }: SolanaTransaction, changes: readonly TokenChange[]): Map<string, bigint> {
  const rents = new Map<string, bigint>()
  for (const { index, mint, before, after } of changes) {
    const wrapped = mint === WRAPPED_SOL ? (after?.amount ?? 0n) - (before?.amount ?? 0n) : 0n
    const kept = meta.postBalances[index]! - meta.preBalances[index]! - wrapped
    const { owner } = (after ?? before)!
    if (kept !== 0n) rents.set(owner, (rents.get(owner) ?? 0n) + kept)
  }
  return rents
}

/** How many owners get a token: tells airdrops from payments. */
function countReceivers(transfers: ChainTransfer[]): void {
  const receivers = new Map<string | null, Set<string>>()
  for (const { token, to } of transfers)
    if (token !== null && to !== NOBODY) receivers.set(token, (receivers.get(token) ?? new Set()).add(to))
  for (const one of transfers)
    if (one.token !== null) one.fanOut = Math.max(1, receivers.get(one.token)?.size ?? 0)
}
