import { type PageRequest, readWalletPages, type WalletPage } from '../../db/chain/read-wallet-page.ts'
import { createBatcher } from '../metering/batcher.ts'
import { perDb } from '../per-db.ts'

// More in one statement, and the process waits for them with nothing to do.
const MAX_BATCH = 16
const MAX_WAITING = 5_000

/** Unfiltered pages of single wallets; requests of the same moment are read in one statement. */
export const hotPages = perDb((db) => {
  const batcherOf = (allNetworks: boolean) =>
    createBatcher<PageRequest, WalletPage>({
      run: (requests) => readWalletPages(db, { allNetworks, requests }),
      maxBatch: MAX_BATCH,
      maxWaiting: MAX_WAITING,
    })
  const ofAll = batcherOf(true)
  const ofOne = batcherOf(false)
  return (request: PageRequest) => (request.network === '' ? ofAll : ofOne)(request)
})
