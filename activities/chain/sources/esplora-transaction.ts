import { z } from 'zod'
import type { UtxoOutput, UtxoTransaction } from './utxo-transaction.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Satoshis. The total supply fits in 2^53. */
const satoshis = z.int().min(0).transform(BigInt)
const output = z
  .object({ scriptpubkey_address: z.string().optional(), value: satoshis })
  .transform(({ scriptpubkey_address: address, value }): UtxoOutput => ({ address: address ?? null, value }))

/** A transaction in Esplora's format; null while it is not confirmed. */
export const esploraTransaction = z
  .object({
    txid: hash,
    vin: z.array(z.object({ prevout: output.nullish() })),
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
  .transform(({ txid, vin, vout, fee, status }): UtxoTransaction | null =>
    status.confirmed
      ? {
          txid,
          blockNumber: status.block_height,
          blockHash: status.block_hash,
          atMs: status.block_time * 1_000,
          fee,
          inputs: vin.map(({ prevout }) => prevout ?? null),
          outputs: vout,
        }
      : null,
  )
