import { z } from 'zod'
import { NOBODY } from '../chain-data.ts'
import type { ChainTransaction, ChainTransfer } from '../chain-data.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Satoshis. The total supply fits in 2^53. */
const satoshis = z.int().min(0).transform(BigInt)
const output = z.object({ scriptpubkey_address: z.string().optional(), value: satoshis })

export const esploraTransaction = z.object({
  txid: hash,
  vin: z.array(z.object({ prevout: output.nullish(), is_coinbase: z.boolean().default(false) })),
  vout: z.array(output),
  fee: satoshis,
  status: z.union([
    z.object({ confirmed: z.literal(false) }),
    z.object({
      confirmed: z.literal(true),
      block_height: z.int().min(0),
      block_hash: hash,
      block_time: z.int(),
    }),
  ]),
})

/** A confirmed transaction. */
export type EsploraTransaction = z.output<typeof esploraTransaction> & { status: { confirmed: true } }

/**
 * Converts all inputs and outputs to transfers from and to an address. Skips scripts without an address (bare
 * keys, data): they change no address's balance.
 */
export function decodeEsploraTransaction(tx: EsploraTransaction): {
  transaction: ChainTransaction
  transfers: ChainTransfer[]
} {
  const { status } = tx
  const place = {
    txHash: tx.txid,
    blockNumber: status.block_height,
    blockHash: status.block_hash,
    atMs: status.block_time * 1_000,
    item: 0,
    token: null,
    tokenId: null,
    fanOut: 1,
  }
  const inputs = tx.vin.map(({ prevout }) => prevout ?? null)
  const transfers: ChainTransfer[] = []
  inputs.forEach((spent, position) => {
    if (spent?.scriptpubkey_address === undefined || spent.value === 0n) return
    const from = spent.scriptpubkey_address
    transfers.push({ ...place, kind: 'input', position, from, to: NOBODY, raw: spent.value })
  })
  tx.vout.forEach(({ scriptpubkey_address: to, value }, position) => {
    if (to === undefined || value === 0n) return
    transfers.push({ ...place, kind: 'output', position, from: NOBODY, to, raw: value })
  })
  const transaction: ChainTransaction = {
    hash: tx.txid,
    blockNumber: status.block_height,
    blockHash: status.block_hash,
    atMs: place.atMs,
    index: 0,
    from: firstPayer(inputs),
    to: null,
    value: inputs.reduce((sum, spent) => sum + (spent?.value ?? 0n), 0n),
    fee: tx.fee,
    success: true,
    selector: null,
  }
  return { transaction, transfers }
}

/** Skips inputs of value zero: they pay no part of the fee. */
function firstPayer(inputs: readonly (z.output<typeof output> | null)[]): string {
  return inputs.find((spent) => spent !== null && spent.value > 0n)?.scriptpubkey_address ?? NOBODY
}

/** Change of the addresses' balance by a transaction, in satoshis. */
export function ownDelta(own: ReadonlySet<string>, { vin, vout }: EsploraTransaction): bigint {
  const sum = (outputs: readonly z.output<typeof output>[]) =>
    outputs.reduce((total, one) => (own.has(one.scriptpubkey_address ?? '') ? total + one.value : total), 0n)
  return sum(vout) - sum(vin.flatMap(({ prevout }) => prevout ?? []))
}
