import { type PageRequest, readWalletPages } from '../../db/chain/read-transactions.ts'
import { rowsOf, type ServedRow } from '../../db/chain/served-transaction.ts'
import { keptBytes, perDb } from '../kept-bytes.ts'
import { createBatcher } from '../metering/batcher.ts'

// With larger batches the process would sit idle while it waits for one statement.
const MAX_BATCH = 16
const MAX_WAITING = 5_000

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
  const kept = keptBytes(db)

  async function read(requests: readonly HotPage[], allNetworks: boolean): Promise<Read[]> {
    const keys = requests.map(({ address, network, offset, limit }) =>
      ['page', address, network, offset, limit].join(' '),
    )
    const known = keys.map((key) => kept.get(key) ?? null)
    const pages = await readWalletPages(db, {
      allNetworks,
      requests: requests.map((request, i) => ({ ...request, known: known[i]?.version ?? null })),
    })
    return pages.map(({ asOf, isPartial, revision, text }, i) => {
      if (text !== null && revision !== null)
        kept.set(keys[i]!, { version: revision, bytes: Buffer.from(text) })
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
