import { z } from 'zod'
import { SourceUnavailable } from '../../errors.ts'
import type { UtxoFormats } from '../../../db/values/networks/network.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock } from '../chain-data.ts'
import type { UtxoApi } from './utxo.ts'
import type { UtxoOutput, UtxoTransaction } from './utxo-transaction.ts'

/** At most 1,000; a transaction may have hundreds of outputs. */
const PAGE_ROWS = 50
const KEPT_BLOCKS = 100
/** Above every block. Without a bound a page has the mempool too. */
const ABOVE_ALL = 1_000_000_000

const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Base units. */
const amount = z.string().regex(/^\d+$/).transform(BigInt)

const status = z.object({ blockbook: z.object({ bestHeight: z.int().min(0) }) })
/** Empty above the tip. */
const blockIndex = z.object({ blockHash: z.union([hash, z.literal('').transform(() => null)]) })
const block = z
  .object({ hash, height: z.int().min(0), time: z.int(), previousBlockHash: hash.nullish() })
  .transform((one): ChainBlock => ({
    number: one.height,
    hash: one.hash,
    parentHash: one.previousBlockHash ?? null,
    atMs: one.time * 1_000,
  }))
const account = z.object({ txs: z.int().min(0), totalReceived: amount, totalSent: amount })

/** Scripts without an address are described in `addresses`, and have `isAddress: false`. */
const output = z
  .object({ addresses: z.array(z.string()).nullish(), isAddress: z.boolean(), value: amount.optional() })
  .transform(({ addresses, isAddress, value = 0n }): UtxoOutput => ({
    address: (isAddress && addresses?.[0]) || null,
    value,
  }))
const transaction = z
  .object({
    txid: hash,
    vin: z.array(output),
    vout: z.array(output),
    blockHash: hash,
    blockHeight: z.int().min(0),
    blockTime: z.int(),
    fees: amount.default(0n),
  })
  .transform((tx): UtxoTransaction => ({
    txid: tx.txid,
    blockNumber: tx.blockHeight,
    blockHash: tx.blockHash,
    atMs: tx.blockTime * 1_000,
    fee: tx.fees,
    inputs: tx.vin,
    outputs: tx.vout,
  }))
/** Absent `transactions`: none. */
const page = z.object({ page: z.int().default(1), transactions: z.array(transaction).nullish() })

/**
 * A Blockbook (trezor/blockbook), the index of one network. It follows the best chain of its node, so one hash of the
 * head before and after the reads proves that there was no reorg below it.
 */
export function createBlockbookApi(options: {
  http: HttpClient
  name: string
  url: string
  formats: UtxoFormats
}): UtxoApi {
  const { http, name, url, formats } = options
  // Blockbook spells CashAddr with its prefix.
  const prefix = formats.cash === null ? '' : `${formats.cash}:`
  const withoutPrefix = (one: UtxoOutput | null) =>
    one?.address?.startsWith(prefix) ? { ...one, address: one.address.slice(prefix.length) } : one
  const canonical = (tx: UtxoTransaction): UtxoTransaction =>
    prefix === ''
      ? tx
      : {
          ...tx,
          inputs: tx.inputs.map(withoutPrefix),
          outputs: tx.outputs.flatMap((one) => withoutPrefix(one) ?? []),
        }
  const known = new Map<string, ChainBlock>()

  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: name, url: `${url}/api/${path}`, schema })

  /** null: above the tip */
  async function hashAt(number: number): Promise<string | null> {
    return (await get(`v2/block-index/${number}`, blockIndex)).blockHash
  }

  /** Its answer lists the transactions too, so each is asked for once. */
  async function blockOf(hash: string): Promise<ChainBlock> {
    const found = known.get(hash) ?? (await get(`v2/block/${hash}`, block))
    if (known.size >= KEPT_BLOCKS) known.clear()
    known.set(hash, found)
    return found
  }

  async function blockAt(number: number): Promise<ChainBlock | null> {
    const hash = await hashAt(number)
    return hash === null ? null : blockOf(hash)
  }

  async function tip(): Promise<ChainBlock> {
    const { bestHeight } = (await get('status', status)).blockbook
    const block = await blockAt(bestHeight)
    if (!block) throw new SourceUnavailable(name, `block ${bestHeight} left the chain while it was read`)
    return block
  }

  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    const found: (ChainBlock | null)[] = []
    for (const number of numbers) {
      const hash = await hashAt(number)
      found.push(hash === null ? null : { number, hash, parentHash: null, atMs: 0 })
    }
    return found
  }

  const readPage: UtxoApi['page'] = async ({ address, after, headBlock }) => {
    const asked = after === null ? 1 : Number(after)
    const query = `details=txslight&pageSize=${PAGE_ROWS}&page=${asked}&to=${headBlock ?? ABOVE_ALL}`
    const answer = await get(`v2/address/${prefix}${address}?${query}`, page)
    // Past the end it repeats the last page.
    const rows = answer.page < asked ? [] : (answer.transactions ?? []).map(canonical)
    // A server may give fewer than asked for, so a short page may not be the last.
    return { rows, next: rows.length === 0 ? null : String(asked + 1) }
  }

  return {
    name,
    tip,
    headers,
    blockAt,
    page: readPage,
    async counters(address) {
      const told = await get(`v2/address/${prefix}${address}?details=basic`, account)
      return { transactions: told.txs, received: told.totalReceived, sent: told.totalSent }
    },
    async beginAt(headBlock) {
      const head = await hashAt(headBlock)
      if (head === null) throw new SourceUnavailable(name, `no block ${headBlock}: the node lags`)
      return async (found) => {
        const block = await blockOf(head)
        if ((await hashAt(headBlock)) !== head)
          throw new SourceUnavailable(
            name,
            `block ${headBlock} was replaced: a reorg happened during the read`,
          )
        return [...found.filter(({ number }) => number !== headBlock), block]
      }
    },
  }
}
