import { pricesAt } from '../../db/prices/read-prices.ts'
import { arrangeOffers } from '../../db/nft/arrange-assets.ts'
import { type CollectionKey, markStep } from '../../db/nft/due-collections.ts'
import {
  coinsOfContracts,
  type KnownCollection,
  quotesOf,
  readCollection,
  unpricedSales,
} from '../../db/nft/read-for-ingest.ts'
import { replaceListings, salesInProfit, storePoint, storeSales } from '../../db/nft/write-market.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { decimal, formatDecimal, multiply } from '../../db/values/decimal.ts'
import type { ActivityDeps } from '../deps.ts'
import { convertAmount, paymentCoin, unitAmount } from './convert-payment.ts'
import { marketPoint, POINT_MS } from './market-point.ts'
import type { ListingRecord, Page, SaleRecord } from './nft-data.ts'
import { OPENSEA, type OpenSea } from './sources/opensea.ts'

/** Limits a reading to the cheapest 2,000 offers and the newest 1,000 sales. */
export const MOST_PAGES = 20
/** Sales arrive late after a reorg of their block. */
const LOOKBACK_MS = 10 * 60_000

/** Reads figures, offers and new sales of a collection and commits them together. */
export async function refreshMarket(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'heartbeat'>,
  opensea: OpenSea,
  key: CollectionKey,
): Promise<void> {
  const collection = await readCollection(deps.db, key)
  const { slug, newestSaleAt } = collection
  if (slug === null) return
  const stats = await opensea.stats(slug)
  const listings = await allPages(deps, (next) => opensea.listings({ slug, next }))
  const after = newestSaleAt && new Date(newestSaleAt.getTime() - LOOKBACK_MS)
  const sales = await allPages(deps, (next) => opensea.sales({ slug, after, next }))
  const fetchedAt = deps.now()

  // A collection of the marketplace may span several contracts; only this one's rows are kept.
  const offers = listings.rows.filter(({ address }) => address === key.address)
  const sold = sales.rows.filter(({ address }) => address === key.address)
  const tokens = [...offers, ...sold].map(({ payment }) => payment.token)
  const coins = await coinsOfContracts(deps.db, { ...collection, addresses: [...new Set(tokens)] })
  const known = { ...collection, coins }
  const paid = <T extends ListingRecord | SaleRecord>(row: T) => ({
    ...row,
    amount: unitAmount(row),
    coinId: paymentCoin(row.payment, known),
  })
  const priced = offers.map(paid)
  const quoted = [
    collection.coinId,
    ...priced.map(({ coinId }) => coinId),
    ...Object.values(collection.currencies),
  ]
  const quotes = await quotesOf(deps.db, [...new Set(quoted.filter((coinId) => coinId !== null))])
  const rows = priced.map((row) => ({
    ...row,
    price: convertAmount(row.amount, { from: row.coinId, to: collection.coinId, quotes }),
  }))
  const at = new Date(Math.floor(fetchedAt.getTime() / POINT_MS) * POINT_MS)
  const point = marketPoint(stats, { collection, quotes })
  await transact(deps.pool, async ({ db, client }) => {
    const listedCount = listings.isWhole ? new Set(offers.map(({ tokenId }) => tokenId)).size : null
    await replaceListings(client, { ...key, rows, listedCount, source: OPENSEA, fetchedAt })
    // Prices may have arrived after the sales were stored.
    const unpriced = await unpricedSales(db, key)
    const valued = await valueSales(client, [...sold.map(paid), ...unpriced], collection)
    await storeSales(client, { ...key, rows: valued, source: OPENSEA, fetchedAt })
    await storePoint(db, {
      network_id: key.networkId,
      address: key.address,
      at,
      ...point,
      sales_in_profit: await salesInProfit(db, { ...key, at: fetchedAt }),
      source: OPENSEA,
      fetched_at: fetchedAt,
    })
    const quarantined = [...listings.quarantined, ...sales.quarantined]
    await quarantineRows(db, { source: OPENSEA, area: 'nft', quarantined, fetchedAt })
    await arrangeOffers(client, { ...key, source: OPENSEA, at: fetchedAt })
    await markStep(db, { ...key, step: 'market', at: fetchedAt, failure: null })
  })
}

async function allPages<T>(
  { heartbeat }: Pick<ActivityDeps, 'heartbeat'>,
  read: (next: string | null) => Promise<Page<T>>,
): Promise<Omit<Page<T>, 'next'> & { isWhole: boolean }> {
  const all: Omit<Page<T>, 'next'> = { rows: [], quarantined: [] }
  let next: string | null = null
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found: Page<T> = await read(next)
    all.rows.push(...found.rows)
    all.quarantined.push(...found.quarantined)
    heartbeat()
    next = found.next
    if (next === null) return { ...all, isWhole: true }
  }
  return { ...all, isWhole: false }
}

type Paid = Pick<SaleRecord, 'at'> & { amount: string; coinId: string | null }

/** Values each sale at the prices in force at its instant. */
async function valueSales<Sale extends Paid>(
  client: Parameters<typeof pricesAt>[0],
  sales: readonly Sale[],
  { coinId: mainCoinId }: Pick<KnownCollection, 'coinId'>,
): Promise<(Sale & { price: string | null; priceUsd: string | null })[]> {
  const cellsOf = (sale: Sale) =>
    [sale.coinId ?? '', mainCoinId].map((coinId) => ({ coinId, atMs: sale.at.getTime() }))
  const prices = await pricesAt(client, sales.flatMap(cellsOf))
  return sales.map((sale, i) => {
    const [paid, main] = [prices[2 * i], prices[2 * i + 1]]
    const quotes = new Map<string, string>()
    if (paid && sale.coinId !== null) quotes.set(sale.coinId, paid.usd)
    if (main) quotes.set(mainCoinId, main.usd)
    return {
      ...sale,
      price: convertAmount(sale.amount, { from: sale.coinId, to: mainCoinId, quotes }),
      priceUsd: paid ? formatDecimal(multiply(decimal(sale.amount), decimal(paid.usd))) : null,
    }
  })
}
