import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer, TransferKind } from '../chain-data.ts'

/** The native coin, in the form in which a server writes types: addresses have 64 digits. */
export const SUI_TYPE = `0x${'2'.padStart(64, '0')}::sui::SUI`

const whole = z.union([z.int(), z.string().regex(/^-?\d+$/)]).transform(BigInt)
const address = z.object({ address: z.string() })

const balanceChange = z
  .object({
    /** null: an object that is no account */
    owner: address.nullable(),
    coinType: z.object({ repr: z.string() }),
    amount: whole,
  })
  .transform(({ owner, coinType, amount }) => ({
    owner: owner?.address ?? NOBODY,
    type: coinType.repr,
    raw: amount,
  }))
/** A page of the balances that a transaction changed. Gas is a part of them. */
export const balanceChanges = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(balanceChange),
})
export const CHANGE_FIELDS =
  'pageInfo { hasNextPage endCursor } nodes { owner { address } coinType { repr } amount }'

/** A transaction of the GraphQL server. `sender` is null for those of the system. */
export const suiTransaction = z.object({
  digest: z.string(),
  sender: address.nullable(),
  gasInput: z.object({ gasSponsor: address.nullable() }).nullable(),
  effects: z.object({
    status: z.enum(['SUCCESS', 'FAILURE']),
    timestamp: z.iso.datetime().transform(Date.parse),
    checkpoint: z.object({ sequenceNumber: z.int().min(0) }),
    balanceChanges,
    gasEffects: z
      .object({ gasSummary: z.object({ computationCost: whole, storageCost: whole, storageRebate: whole }) })
      .nullable(),
  }),
})
export type SuiTransaction = z.output<typeof suiTransaction>
export const TRANSACTION_FIELDS = `digest sender { address } gasInput { gasSponsor { address } }
  effects { status timestamp checkpoint { sequenceNumber } balanceChanges(first: 50) { ${CHANGE_FIELDS} }
    gasEffects { gasSummary { computationCost storageCost storageRebate } } }`

/**
 * Converts the balance changes to one-sided transfers without the gas. Who pays the gas is taken for the sender. If
 * deleted objects give back more than the gas costs, the difference is returned rent. A failed transaction moves only
 * its gas.
 */
export function decodeSuiTransaction(tx: SuiTransaction): {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
} {
  const { status, timestamp: atMs, checkpoint, gasEffects, balanceChanges: changes } = tx.effects
  const { computationCost, storageCost, storageRebate } = gasEffects?.gasSummary ?? NO_GAS
  const gas = computationCost + storageCost - storageRebate
  const payer = tx.gasInput?.gasSponsor?.address ?? tx.sender?.address ?? NOBODY
  const success = status === 'SUCCESS'
  const place = {
    txHash: tx.digest,
    blockNumber: checkpoint.sequenceNumber,
    // Checkpoints are final, so the number stands for the block.
    blockHash: String(checkpoint.sequenceNumber),
    atMs,
  }
  const transaction: ChainTransaction = {
    hash: tx.digest,
    blockNumber: place.blockNumber,
    blockHash: place.blockHash,
    atMs,
    index: 0,
    from: payer,
    to: null,
    value: 0n,
    fee: gas > 0n ? gas : 0n,
    success,
    selector: null,
  }
  if (!success) return { transaction, transfers: [] }
  const rowOf = (
    kind: TransferKind,
    position: number,
    change: { owner: string; type: string; raw: bigint },
  ) => {
    const { owner, type, raw } = change
    const [from, to] = raw > 0n ? [NOBODY, owner] : [owner, NOBODY]
    const token = type === SUI_TYPE ? null : type
    const amount = raw > 0n ? raw : -raw
    return { ...place, kind, position, item: 0, token, tokenId: null, from, to, raw: amount }
  }
  // A payer whose coins changed by just the gas is not listed if that is nothing.
  const isListed = changes.nodes.some(({ owner, type }) => owner === payer && type === SUI_TYPE)
  const all =
    isListed || gas === 0n ? changes.nodes : [...changes.nodes, { owner: payer, type: SUI_TYPE, raw: 0n }]
  const moved = all.flatMap((change, position) => {
    const paysGas = change.owner === payer && change.type === SUI_TYPE
    const raw = paysGas ? change.raw + gas : change.raw
    const kind = change.type === SUI_TYPE ? 'native' : 'issued'
    return change.owner === NOBODY || raw === 0n ? [] : [rowOf(kind, position, { ...change, raw })]
  })
  const receivers = Map.groupBy(
    moved.filter(({ to }) => to !== NOBODY),
    ({ token }) => token,
  )
  const transfers = moved.map((one): ChainTransfer => ({
    ...one,
    fanOut: new Set(receivers.get(one.token)?.map(({ to }) => to)).size || 1,
  }))
  if (gas < 0n)
    transfers.push({ ...rowOf('rent', 0, { owner: payer, type: SUI_TYPE, raw: -gas }), fanOut: 1 })
  return { transaction, transfers }
}

const NO_GAS = { computationCost: 0n, storageCost: 0n, storageRebate: 0n }
