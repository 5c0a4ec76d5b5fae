import { z } from 'zod'
import { tonAddress } from '../../../db/values/wallet-address.ts'
import { NOBODY } from '../chain-data.ts'
import type { ChainBlock, ChainTransaction, ChainTransfer } from '../chain-data.ts'
import { hash31 } from './native-transfers.ts'

const address = z
  .string()
  .regex(/^(0|-1):[0-9A-Fa-f]{64}$/)
  .transform(tonAddress)
/** Base64 of 32 bytes, to the hexadecimal digits that explorers have in their addresses. */
const hash = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .transform((text) => Buffer.from(text, 'base64').toString('hex'))
const amount = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt)
/** Of a message from or to the outside there is none. */
const orZero = amount.nullish().transform((found) => found ?? 0n)

const message = z.object({
  hash,
  source: address.nullable(),
  destination: address.nullable(),
  value: orZero,
  fwd_fee: orZero,
  ihr_fee: orZero,
})

/** A transaction of one account, as api/v3/transactions lists it. */
export const tonTransaction = z
  .object({
    account: address,
    hash,
    lt: z.union([z.int(), z.string()]).transform(String),
    now: z.int().min(0),
    mc_block_seqno: z.int().min(0),
    trace_id: hash.nullish(),
    total_fees: amount,
    description: z.object({ aborted: z.boolean().nullish() }),
    in_msg: message.nullable(),
    out_msgs: z.array(message),
  })
  .transform(({ trace_id: trace, ...tx }) => ({ ...tx, trace: trace ?? tx.hash }))
export type TonTransaction = z.output<typeof tonTransaction>

const jettonRow = {
  transaction_hash: hash,
  transaction_now: z.int().min(0),
  trace_id: hash.nullish(),
  /** The wallet contract refused it, as where it has less than it should send: nothing moved. */
  transaction_aborted: z.boolean().nullish(),
  amount,
}
/** A transfer of a jetton, as its sender's wallet contract was told it. */
export const jettonTransfer = z
  .object({ ...jettonRow, jetton_master: address, source: address, destination: address })
  .transform((row) => jettonOf(row, { from: row.source, to: row.destination }))
export const jettonBurn = z
  .object({ ...jettonRow, jetton_master: address, owner: address })
  .transform((row) => jettonOf(row, { from: row.owner, to: NOBODY }))

/** What one of the lists says that moved, and in which trace. */
export interface TonRow {
  trace: string
  /** Unix seconds */
  now: number
  moves: Move[]
}
type Move = Pick<ChainTransfer, 'kind' | 'position' | 'token' | 'from' | 'to' | 'raw'>

interface JettonFacts {
  transaction_hash: string
  transaction_now: number
  trace_id?: string | null | undefined
  transaction_aborted?: boolean | null | undefined
  amount: bigint
  jetton_master: string
}

function jettonOf(row: JettonFacts, parties: { from: string; to: string }): TonRow {
  const { transaction_hash: own, transaction_now: now, amount: raw, jetton_master: token } = row
  const move: Move = { kind: 'issued', position: hash31(own), token, raw, ...parties }
  const hasMoved = raw > 0n && row.transaction_aborted !== true
  return { trace: row.trace_id ?? own, now, moves: hasMoved ? [move] : [] }
}

/**
 * What a transaction moved. A message is in the lists of both accounts, so its hash is its position. The account pays
 * for the storage and the run of its contract, and for forwarding what it sends.
 */
export function movesOf(tx: TonTransaction): TonRow {
  const moves = [...(tx.in_msg ? [tx.in_msg] : []), ...tx.out_msgs].flatMap((one): Move[] => {
    const { hash: own, source: from, destination: to, value: raw } = one
    if (from === null || to === null || raw === 0n) return []
    return [{ kind: 'native', position: hash31(own), token: null, from, to, raw }]
  })
  const fee = tx.out_msgs.reduce((sum, one) => sum + one.fwd_fee + one.ihr_fee, tx.total_fees)
  if (fee > 0n)
    moves.push({
      kind: 'fee',
      position: hash31(tx.hash),
      token: null,
      from: tx.account,
      to: NOBODY,
      raw: fee,
    })
  return { trace: tx.trace, now: tx.now, moves }
}

/**
 * A trace as a transaction: all that followed from one message, over many accounts. It has the place, the time and the
 * account of its first transaction, whose hash is its id, so that it is the same for every wallet. What accounts pay are
 * transfers of the kind `fee`.
 */
export function traceOf(root: TonTransaction): { block: ChainBlock; transaction: ChainTransaction } {
  const { mc_block_seqno: number, now } = root
  // Masterchain blocks are final, so the number stands for the block.
  const block = { number, hash: String(number), parentHash: null, atMs: now * 1_000 }
  const transaction = {
    hash: root.trace,
    blockNumber: number,
    blockHash: block.hash,
    atMs: block.atMs,
    index: 0,
    from: root.account,
    to: null,
    value: 0n,
    fee: 0n,
    success: root.description.aborted !== true,
    selector: null,
  }
  return { block, transaction }
}

/** The moves of rows at the place of their traces. */
export const transfersOf = (rows: readonly TonRow[], traces: ReadonlyMap<string, TonTransaction>) =>
  rows.flatMap(({ trace, moves }) => {
    const { transaction } = traceOf(traces.get(trace)!)
    const { hash: txHash, blockNumber, blockHash, atMs } = transaction
    const place = { txHash, blockNumber, blockHash, atMs }
    return moves.map((one): ChainTransfer => ({ ...place, ...one, item: 0, tokenId: null, fanOut: 1 }))
  })
