import { LRUCache } from 'lru-cache'
import { type PageRequest, readWalletPages } from '../../db/chain/read-transactions.ts'
import { rowsOf, type ServedRow } from '../../db/chain/served-transaction.ts'
import { createBatcher } from '../metering/batcher.ts'
import { perDb } from '../per-db.ts'

// With larger batches the process would sit idle while it waits for one statement.
const MAX_BATCH = 16
const MAX_WAITING = 5_000
/** About 8,000 pages of 20. */
const MAX_BYTES = 96 * 1024 * 1024

export type HotPage = Pick<PageRequest, 'address' | 'network' | 'offset' | 'limit'>

interface Read {
  /** Everything on the networks up to this time is served; null: none is synced. */
  asOf: Date | null
  /** Whether a network of the request that has a source is not synced. */
  isPartial: boolean
  rows: ServedRow[]
}

/**
 * Unfiltered pages of single wallets; concurrent requests are read in one statement. Pages are cached, and
 * each request checks the revision in the database before it uses the cached page.
 */
export const hotPages = perDb((db) => {
  // Cached as bytes outside the heap: strings on the heap take three times as much memory.
  const atHand = new LRUCache<string, { revision: string; bytes: Buffer }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => 256 + bytes.length + key.length,
  })

  async function read(requests: readonly HotPage[], allNetworks: boolean): Promise<Read[]> {
    const keys = requests.map(({ address, network, offset, limit }) =>
      [address, network, offset, limit].join(' '),
    )
    const known = keys.map((key) => atHand.get(key) ?? null)
    const pages = await readWalletPages(db, {
      allNetworks,
      requests: requests.map((request, i) => ({ ...request, known: known[i]?.revision ?? null })),
    })
    return pages.map(({ asOf, isPartial, revision, text }, i) => {
      if (text !== null && revision !== null) atHand.set(keys[i]!, { revision, bytes: Buffer.from(text) })
      return { asOf, isPartial, rows: rowsOf(text ?? known[i]!.bytes.toString()) }
    })
  }

  const batcherOf = (allNetworks: boolean) =>
    createBatcher<HotPage, Read>({
      run: (requests) => read(requests, allNetworks),
      maxBatch: MAX_BATCH,
      maxWaiting: MAX_WAITING,
    })
  const ofAll = batcherOf(true)
  const ofOne = batcherOf(false)
  return (request: HotPage) => (request.network === '' ? ofAll : ofOne)(request)
})
