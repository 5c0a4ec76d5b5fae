import { type PageRequest, readWalletPages, type WalletPage } from '../../db/chain/read-transactions.ts'
import { rowsOf, type ServedRow, transactionJson } from '../../db/chain/served-transaction.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type Kept, keptBytes, perDb } from '../kept-bytes.ts'
import { createBatcher } from '../metering/batcher.ts'
import { oldest } from '../shapes.ts'
import type { CurrentPrices } from './current-prices.ts'

// With larger batches the process would sit idle while it waits for one statement.
const MAX_BATCH = 16
const MAX_WAITING = 5_000

/** An unfiltered page of one wallet. */
type HotPage = Omit<PageRequest, 'known'>

type State = Pick<WalletPage, 'asOf' | 'isPartial'>

/** Concurrent requests are read in one statement. */
const walletPages = perDb((db) => {
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

/** The rows of a page, for another currency than USD. */
export async function hotRows(db: ReadonlyDb, page: HotPage): Promise<State & { rows: ServedRow[] }> {
  const { asOf, isPartial, text } = await walletPages(db)({ ...page, known: null })
  return { asOf, isPartial, rows: rowsOf(text!) }
}

/** Transactions as JSON. `priceAsOf`: the time of the oldest price in it. */
export interface JsonList {
  list: Buffer
  priceAsOf: Date | null
}

interface Made extends Kept {
  more: { prices: string; priceAsOf: Date | null }
}

/**
 * The transactions of a page as a JSON list in USD. A list is kept until a price changes, and each request asks the
 * database whether its page has changed.
 */
export async function hotList(
  db: ReadonlyDb,
  page: HotPage,
  prices: CurrentPrices,
): Promise<State & JsonList> {
  const kept = keptBytes(db)
  const { address, network, offset, limit } = page
  const key = ['page', address, network, offset, limit].join(' ')
  const earlier = kept.get(key) as Made | undefined
  const known = earlier?.more.prices === prices.revision ? earlier : null
  const { asOf, isPartial, revision, text } = await walletPages(db)({
    ...page,
    known: known?.version ?? null,
  })
  if (text === null) return { asOf, isPartial, list: known!.bytes, priceAsOf: known!.more.priceAsOf }
  const made = listInUsd(rowsOf(text), prices)
  const more = { prices: prices.revision, priceAsOf: made.priceAsOf }
  if (revision !== null) kept.set(key, { version: revision, bytes: made.list, more })
  return { asOf, isPartial, ...made }
}

export const listInUsd = (rows: readonly ServedRow[], prices: CurrentPrices): JsonList =>
  jsonList(rows, prices, (row) => transactionJson(row, prices.usd))

/** `json`: of one transaction. */
export const jsonList = (
  rows: readonly ServedRow[],
  { at }: CurrentPrices,
  json: (row: ServedRow, index: number) => string,
): JsonList => ({
  list: Buffer.from(`[${rows.map(json).join(',')}]`),
  priceAsOf: oldest(rows.map(({ main }) => main && at.get(main.coinId))),
})
