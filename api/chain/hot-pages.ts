import { LRUCache } from 'lru-cache'
import { type PageRequest, readWalletPages } from '../../db/chain/read-wallet-page.ts'
import { rowsOf, type ServedRow } from '../../db/chain/served-row.ts'
import { createBatcher } from '../metering/batcher.ts'
import { perDb } from '../per-db.ts'

// More in one statement, and the process waits for them with nothing to do.
const MAX_BATCH = 16
const MAX_WAITING = 5_000
/** About 8,000 pages of 20. */
const MAX_BYTES = 96 * 1024 * 1024

export type HotPage = Pick<PageRequest, 'address' | 'network' | 'offset' | 'limit'>

interface Read {
  /** When the oldest of its networks was synced; null: none of them is. */
  asOf: Date | null
  rows: ServedRow[]
}

/**
 * Unfiltered pages of single wallets; requests of the same moment are read in one statement. Pages stay at hand, and are
 * answered while their revision is the one in the database: it is asked for each time.
 */
export const hotPages = perDb((db) => {
  // As bytes, outside of the heap: to keep texts in it takes three times as much memory.
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
    return pages.map(({ asOf, revision, text }, i) => {
      if (text !== null && revision !== null) atHand.set(keys[i]!, { revision, bytes: Buffer.from(text) })
      return { asOf, rows: rowsOf(text ?? known[i]!.bytes.toString()) }
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
