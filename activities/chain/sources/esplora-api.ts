import { z } from 'zod'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock } from '../chain-data.ts'
import type { AddressCounters } from './address-counters.ts'
import { esploraTransaction } from './esplora-transaction.ts'
import type { UtxoTransaction } from './utxo-transaction.ts'

const NAME = 'esplora'

const block = z
  .object({ id: z.string(), height: z.int(), timestamp: z.int(), previousblockhash: z.string().nullish() })
  .transform((one): ChainBlock => ({
    number: one.height,
    hash: one.id,
    parentHash: one.previousblockhash ?? null,
    atMs: one.timestamp * 1_000,
  }))
const blocks = z.array(block).min(1)
const page = z.array(esploraTransaction)
const stats = z.object({ tx_count: z.int().min(0), funded_txo_sum: z.int(), spent_txo_sum: z.int() })
const account = z.object({ chain_stats: stats })
const HASH = /^[0-9a-f]{64}$/

export type EsploraApi = ReturnType<typeof createEsploraApi>

/** The calls of Esplora's REST API (blockstream.info, mempool.space) that wallets and blocks need. */
export function createEsploraApi({ http, url }: { http: HttpClient; url: string }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: NAME, url: url + path, schema })

  /** What is not there is missing because the node lags, or because of a reorg. */
  async function orUnavailable<T>(asked: Promise<T>, reason: string): Promise<T> {
    return await asked.catch((error: unknown) => {
      throw isMissing(error) ? new SourceUnavailable(NAME, reason) : error
    })
  }

  /** Ten linked blocks from a height downwards; without a height, from the tip. */
  async function blocksFrom(height?: number): Promise<ChainBlock[]> {
    if (height === undefined) return await get('/blocks', blocks)
    return await orUnavailable(get(`/blocks/${height}`, blocks), `no block ${height}: the node lags`)
  }

  async function tip(): Promise<ChainBlock> {
    return (await blocksFrom())[0]!
  }

  /** null for a block above the tip */
  async function headers(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    if (numbers.length === 0) return []
    const known = new Map<number, ChainBlock>()
    const newest = await blocksFrom()
    for (const one of newest) known.set(one.number, one)
    for (const number of [...numbers].sort((a, b) => b - a))
      if (number < newest[0]!.number && !known.has(number))
        for (const one of await blocksFrom(number)) known.set(one.number, one)
    return numbers.map((number) => known.get(number) ?? null)
  }

  async function tipHash(): Promise<string> {
    return await http.fetchText({
      source: NAME,
      url: `${url}/blocks/tip/hash`,
      read({ status, text }) {
        if (status !== 200) throw new SourceRejected(NAME, `status ${status}: ${text.slice(0, 200)}`)
        if (!HASH.test(text)) throw new SourceUnavailable(NAME, `no hash of the tip: ${text.slice(0, 80)}`)
        return text
      },
    })
  }

  async function blockOf(hash: string): Promise<ChainBlock> {
    return await orUnavailable(get(`/block/${hash}`, block), `block ${hash} is missing: the node lags`)
  }

  /** A block as the network sends it, in hexadecimal digits. */
  async function rawBlock(hash: string): Promise<string> {
    return await http.fetchText({
      source: NAME,
      url: `${url}/block/${hash}/raw`,
      as: 'hex',
      read({ status, text }) {
        if (status === 200) return text
        if (status === 404) throw new SourceUnavailable(NAME, `block ${hash} is missing: the node lags`)
        throw new SourceRejected(NAME, `status ${status} for block ${hash}`)
      },
    })
  }

  /** A confirmed transaction. */
  async function transaction(txid: string): Promise<UtxoTransaction> {
    const gone = `${txid} left the chain while it was read`
    const found = await orUnavailable(get(`/tx/${txid}`, esploraTransaction), gone)
    if (found === null) throw new SourceUnavailable(NAME, gone)
    return found
  }

  /** The next confirmed transactions of an address after one, newest first. */
  async function confirmed(address: string, after: string | null): Promise<UtxoTransaction[]> {
    const rows = await get(`/address/${address}/txs/chain${after === null ? '' : `/${after}`}`, page)
    return rows.filter((one) => one !== null)
  }

  /** Of the confirmed transactions of an address, in satoshis. */
  async function counters(address: string): Promise<AddressCounters> {
    const { chain_stats: told } = await get(`/address/${address}`, account)
    return {
      transactions: told.tx_count,
      received: BigInt(told.funded_txo_sum),
      sent: BigInt(told.spent_txo_sum),
    }
  }

  return { blocksFrom, tip, headers, tipHash, blockOf, rawBlock, transaction, confirmed, counters }
}

const isMissing = (error: unknown): boolean =>
  error instanceof SourceRejected && /status 404/.test(error.message)
