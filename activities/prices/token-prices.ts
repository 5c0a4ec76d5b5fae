import { lockCoins } from '../../db/prices/lock-coins.ts'
import { readQuotedPrices } from '../../db/prices/read-for-ingest.ts'
import { markQuotesStale, storeCoins, storeContracts, storeQuotes } from '../../db/prices/write-coins.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps } from '../deps.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { holdBackReason } from './hold-back.ts'
import { type PriceSources, required } from './price-sources.ts'
import { quoteRow } from './quote-row.ts'
import { DEFILLAMA, type TokenPrice } from './sources/defillama.ts'

export interface TokenContract {
  blockchain: string
  /** lower case on EVM networks */
  address: string
}

/** A price with a lower confidence is held back. */
const LEAST_CONFIDENCE = 0.9

/**
 * Prices tokens that are in no coin list, by their contract. Each token that DefiLlama knows becomes the coin
 * `<address>_<blockchain>`. Prices of low confidence are held back. Returns the number of new or changed
 * quotes.
 */
export async function refreshTokens(
  deps: ActivityDeps,
  sources: PriceSources,
  tokens: readonly TokenContract[],
): Promise<{ changed: number; held: number }> {
  if (tokens.length === 0) return { changed: 0, held: 0 }
  const { found, quarantined } = await required(sources, 'defillama').currentPrices(tokens)
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const stored = await readQuotedPrices(transaction.db, DEFILLAMA)
    const good: TokenPrice[] = []
    const held: QuarantinedRow[] = []
    for (const token of found) {
      const incoming = { usd: token.priceUsd, at: token.at }
      const previous = stored.get(coinIdOf(token)) ?? null
      const reason =
        token.confidence !== null && token.confidence < LEAST_CONFIDENCE
          ? `confidence ${token.confidence}`
          : holdBackReason({ incoming, previous, second: null, now: fetchedAt })
      if (reason !== null)
        held.push({ reason: `held back: ${reason}`, payload: { id: coinIdOf(token), ...token } })
      else if (previous === null || token.at >= previous.at) good.push(token)
    }
    await quarantineRows(transaction.db, {
      source: DEFILLAMA,
      area: 'prices',
      quarantined: [...quarantined, ...held],
      fetchedAt,
    })
    const coins = good.map((token) => ({
      coinId: coinIdOf(token),
      upstreamId: `${token.blockchain}:${token.address}`,
      symbol: token.symbol.toUpperCase(),
      name: token.symbol,
      icon: null,
      rank: null,
    }))
    await storeCoins(transaction, { coins, source: DEFILLAMA, fetchedAt })
    const contracts = good.map((token) => ({ ...token, coinId: coinIdOf(token) }))
    await storeContracts(transaction, { contracts, source: DEFILLAMA, fetchedAt, withDecimals: true })
    const changed = await storeQuotes(
      transaction,
      good.map((token) => tokenQuote(token, fetchedAt)),
    )
    await markQuotesStale(
      transaction.db,
      held.map(({ payload }) => (payload as { id: string }).id),
    )
    return { changed, held: held.length }
  })
}

const TOKEN_COIN_ID = /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})_(.+)$/

/**
 * Creates the missing coins among ids `<address>_<blockchain>`, if DefiLlama has a price for the contract.
 */
export async function makeCoins(
  deps: ActivityDeps,
  sources: PriceSources,
  coinIds: readonly string[],
): Promise<void> {
  if (sources.defillama === null) return
  const tokens = coinIds.flatMap((id) => {
    const [, address, blockchain] = TOKEN_COIN_ID.exec(id) ?? []
    return address && blockchain ? [{ address, blockchain }] : []
  })
  const stored = await readQuotedPrices(deps.db, DEFILLAMA)
  await refreshTokens(
    deps,
    sources,
    tokens.filter((token) => !stored.has(coinIdOf(token))),
  )
}

function coinIdOf({ blockchain, address }: TokenContract): string {
  return `${address}_${blockchain}`
}

function tokenQuote({ priceUsd, at, symbol, ...token }: TokenPrice, fetchedAt: Date) {
  const unknown = {
    volume24hUsd: null,
    marketCapUsd: null,
    fullyDilutedValuationUsd: null,
    availableSupply: null,
    totalSupply: null,
    priceChange1h: null,
    priceChange1d: null,
    priceChange1w: null,
    priceChange1m: null,
    allTimeHighUsd: null,
    allTimeHighAt: null,
    allTimeLowUsd: null,
    allTimeLowAt: null,
  }
  const coinId = coinIdOf(token)
  const row = { upstreamId: coinId, symbol, name: symbol, icon: null, rank: null, priceUsd, at, ...unknown }
  return quoteRow(row, { coinId, source: DEFILLAMA, fetchedAt })
}
