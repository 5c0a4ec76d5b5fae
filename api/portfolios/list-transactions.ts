import { readSpam } from '../../db/chain/read-spam.ts'
import { readTransactionsByKey as readWalletTransactions } from '../../db/chain/read-transactions.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readTransactionsByKey as readExchangeTransactions } from '../../db/exchanges/read-transactions.ts'
import { pricesInForce } from '../../db/pnl/valuation/prices-in-force.ts'
import { describeCoins } from '../../db/pnl/lots/read-coins.ts'
import { ledgersOf } from '../../db/portfolios/ledgers.ts'
import { pageKeys, type TransactionKey } from '../../db/portfolios/page-keys.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { readManualTransactions } from '../../db/portfolios/read-manual-transactions.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { isFiatCoin } from '../../db/values/coins.ts'
import { exchangeTransaction, mainCoin } from '../../db/exchanges/served-transaction.ts'
import { oldest } from '../shapes.ts'
import { currentPrices } from '../chain/current-prices.ts'
import { convertedTransaction, type Rates } from '../../db/chain/served-transaction.ts'
import { currentRate } from '../prices/current-rate.ts'
import { correctionNote } from './correction-note.ts'
import { describePortfolio } from './describe-portfolio.ts'
import { hasHistory } from './holding-set.ts'
import { manualTransaction } from './manual-transaction.ts'
import {
  coinsOf,
  type PortfolioTransaction,
  portfolioTransaction,
  type SourceTransaction,
} from './portfolio-transaction.ts'

interface Listing {
  /** the `ledger` of a key is an index into this list */
  portfolios: readonly Portfolio[]
  keys: readonly TransactionKey[]
  currency: string
  rateNow: string
  now: Date
}

/**
 * A page of the transactions of portfolios, newest first, without those of portfolios whose history is not complete.
 * `currency`: of the worths. `from` is inclusive, `to` exclusive. A page is a number, or begins after the `last`
 * transaction of the page before, so that what comes or goes meanwhile shifts nothing. Throws 400 for a currency without
 * a rate.
 */
export async function transactionsPage(
  db: ReadonlyDb,
  asked: {
    portfolios: readonly Portfolio[]
    currency: string
    coinId?: string | undefined
    from?: Date | undefined
    to?: Date | undefined
    page?: number
    after?: TransactionKey | undefined
    limit: number
    now: Date
  },
): Promise<{
  data: PortfolioTransaction[]
  priceAsOf: Date | null
  /** undefined: the page is empty */
  last: TransactionKey | undefined
}> {
  const { currency, coinId, from, to, page = 1, after, limit, now } = asked
  const rateNow = await currentRate(db, { currency, now })
  const portfolios = asked.portfolios.filter(hasHistory)
  const ledgers = await ledgersOf(db, { portfolios, coinId })
  const keys = await pageKeys(db, ledgers, { from, to, after, offset: (page - 1) * limit, limit })
  return { ...(await listTransactions(db, { portfolios, keys, currency, rateNow, now })), last: keys.at(-1) }
}

/**
 * Transactions of a page in the form of the response, in the order of their keys, and the time of the oldest
 * price in their current values.
 */
async function listTransactions(
  db: ReadonlyDb,
  listing: Listing,
): Promise<{ data: PortfolioTransaction[]; priceAsOf: Date | null }> {
  const { portfolios, keys } = listing
  const found = await readSources(db, listing)
  const coinIds = [...new Set([...found.values()].flatMap(coinsOf))]
  const descriptions = await describeCoins(db, coinIds)
  const spam = await readSpam(db, coinIds)
  const { at: pricedAt } = await currentPrices(db)(listing.now.getTime())
  const data = keys.flatMap((key, index) => {
    const source = found.get(index)
    const info = describePortfolio(portfolios[key.ledger]!)
    return source ? [portfolioTransaction(source, { info, descriptions, spam })] : []
  })
  const priceAsOf = oldest([...found.values()].map(({ main }) => main && pricedAt.get(main.coinId)))
  return { data, priceAsOf }
}

/** Reads each kind of transaction from its own tables. The map key is the index in `keys`. */
async function readSources(
  db: ReadonlyDb,
  { portfolios, keys, currency, rateNow, now }: Listing,
): Promise<Map<number, SourceTransaction>> {
  const found = new Map<number, SourceTransaction>()
  if (keys.length === 0) return found
  const { usd: prices } = await currentPrices(db)(now.getTime())
  // A currency without a history has one rate, which is the current one.
  const then = await readRatesAt(db, { currency, instants: keys.map(({ at }) => at) })
  const rates = keys.map((_, index): Rates => ({
    then: Number(then?.[index] ?? rateNow),
    now: Number(rateNow),
  }))
  const ofWallets: { index: number; walletId: string; networkId: string; at: Date; hash: string }[] = []
  const ofExchanges: { index: number; connectionId: string; kind: string; key: string }[] = []
  const ofManual: { index: number; id: string }[] = []
  keys.forEach(({ ledger, at, kind, key }, index) => {
    const portfolio = portfolios[ledger]!
    if (portfolio.kind === 'manual') ofManual.push({ index, id: key })
    else if (portfolio.kind === 'exchange') ofExchanges.push({ index, connectionId: portfolio.id, kind, key })
    else
      ofWallets.push({ index, walletId: portfolio.walletId!, networkId: portfolio.networkId, at, hash: key })
  })
  for (const [position, row] of await readWalletTransactions(db, ofWallets)) {
    const { index } = ofWallets[position]!
    const own = rates[index]!
    const main = row.main && {
      coinId: row.main.coinId,
      totalWorth: Number(row.main.valueUsd ?? 0) * own.then,
    }
    found.set(index, { transaction: convertedTransaction(row, prices, own), main })
  }
  for (const [position, row] of await readExchangeTransactions(db, ofExchanges)) {
    const { index } = ofExchanges[position]!
    const context = { prices, rates: rates[index]! }
    const transaction = exchangeTransaction(row, context)
    const isDust = row.kind === 'dust'
    const note = correctionNote(row.parts)
    found.set(index, { transaction, main: mainCoin(row, context), isDust, note })
  }
  const stated = await readManualTransactions(
    db,
    ofManual.map(({ id }) => id),
  )
  const coinIds = [...new Set([...stated.values()].map(({ coinId }) => coinId))]
  const descriptions = await describeCoins(db, coinIds)
  const fiatPrices = await pricesOfFiats(db, { coinIds: coinIds.filter(isFiatCoin), now })
  for (const [position, row] of stated) {
    const { index } = ofManual[position]!
    const priceNow = prices.get(row.coinId) ?? fiatPrices.get(row.coinId)
    const description = descriptions.get(row.coinId)
    found.set(index, manualTransaction(row, { rates: rates[index]!, priceNow, description }))
  }
  return found
}

/** Current USD price of one unit of each currency. */
async function pricesOfFiats(
  db: ReadonlyDb,
  { coinIds, now }: { coinIds: readonly string[]; now: Date },
): Promise<Map<string, number>> {
  const prices = await pricesInForce(
    db,
    coinIds.map((coinId) => ({ coinId, atMs: now.getTime() })),
  )
  return new Map(
    coinIds.flatMap((coinId, i) => (prices[i] ? [[coinId, toNumber(prices[i].usd)] as const] : [])),
  )
}
