import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import { divide, isZero, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { EXCHANGES } from '../../values/exchanges.ts'
import { DAY_MS } from '../../values/periods.ts'
import { type CoinItem, coinItem } from './coin-item.ts'
import { NO_MOVES, type RecentMoves, type StoredCoin, sumMoves } from './coin-state.ts'
import { type InUnits, inUnits, readCoinStates, readMoves, type Unit } from './fold-rows.ts'
import { shownPrices } from '../valuation/shown-prices.ts'
import { isNftCoin, nftOf, UNIT_COINS } from '../../values/coins.ts'

export interface CoinRow {
  coinId: string
  /** false: it has no market price and counts with what was paid for it */
  isPriced: boolean
  item: InUnits<CoinItem>
  /** the state from which `item` is computed */
  state: InUnits<StoredCoin>
  recent: InUnits<RecentMoves>
  /** time of the price; null: it has none */
  pricedAt: Date | null
}

/**
 * Returns the coins of a fold at the prices in force, in USD, BTC and ETH. The history uses the same prices
 * at the same instant, so realised plus unrealised profit of all coins equals the profit of all periods.
 */
export async function readCoins(
  db: ReadonlyDb,
  input: { foldId: string; coinId?: string | undefined; nowMs: number },
): Promise<CoinRow[]> {
  const { foldId, nowMs } = input
  const dayAgoMs = nowMs - DAY_MS
  const found = await readCoinStates(db, input)
  const states = new Map([...found].filter(([coinId, { usd }]) => !isNftCoin(coinId) || hasCost(usd)))
  const moves = await readMoves(db, { foldId, from: new Date(dayAgoMs) })
  const recent = inUnits((unit) => sumMoves(moves[unit]))
  const coinIds = [...states.keys()]
  const { pricesOf, pricedAt } = await pricesNowAndBefore(db, { coinIds, nowMs })
  return coinIds.map((coinId) => {
    const state = states.get(coinId)!
    const own = inUnits((unit) => recent[unit].get(coinId) ?? NO_MOVES)
    const item = inUnits((unit) => coinItem(state[unit], { ...pricesOf(coinId, unit), recent: own[unit] }))
    const isPriced = pricesOf(coinId, 'usd').price !== null
    return { coinId, isPriced, item, state, recent: own, pricedAt: pricedAt(coinId) }
  })
}

/** False: it has come and gone without a payment, as NFTs do that nobody asked for. */
const hasCost = ({ quantity, acquired, disposed }: StoredCoin): boolean =>
  [quantity, acquired.quantity, disposed.quantity].some((units) => !isZero(units))

interface Present {
  price: Decimal | null
  dayAgoPrice: Decimal | null
  inUnit: (usd: Decimal, end: 'now' | 'dayAgo') => Decimal
}

/** Prices of coins in each unit, now and a day ago, and the time of the price of now. */
export async function pricesNowAndBefore(
  db: ReadonlyDb,
  { coinIds, nowMs }: { coinIds: readonly string[]; nowMs: number },
): Promise<{
  pricesOf: (coinId: string, unit: Unit) => Present
  pricedAt: (coinId: string) => Date | null
}> {
  const dayAgoMs = nowMs - DAY_MS
  const { priceOf, inUnit, pricedAt } = await pricesAt(db, { coinIds, instantsMs: [nowMs, dayAgoMs] })
  return {
    pricesOf: (coinId, unit) => ({
      price: priceOf(coinId, unit, nowMs),
      dayAgoPrice: priceOf(coinId, unit, dayAgoMs),
      inUnit: (usd, end) => inUnit(usd, unit, end === 'now' ? nowMs : dayAgoMs),
    }),
    pricedAt: (coinId) => pricedAt(coinId, nowMs),
  }
}

/** Prices in each unit, null for a coin without one; and USD in each unit, 0 without a price of that. */
async function pricesAt(
  db: ReadonlyDb,
  { coinIds, instantsMs }: { coinIds: readonly string[]; instantsMs: readonly number[] },
): Promise<{
  priceOf: (coinId: string, unit: Unit, atMs: number) => Decimal | null
  inUnit: (usd: Decimal, unit: Unit, atMs: number) => Decimal
  pricedAt: (coinId: string, atMs: number) => Date | null
}> {
  const ids = [...new Set([...coinIds, ...Object.values(UNIT_COINS)])]
  const cells = instantsMs.flatMap((atMs) => ids.map((coinId) => ({ coinId, atMs })))
  const prices = await shownPrices(db, cells)
  const found = new Map(cells.map(({ coinId, atMs }, index) => [`${coinId} ${atMs}`, prices[index]]))
  const inUnit = (amount: Decimal, unit: Unit, atMs: number) => {
    if (unit === 'usd') return amount
    const whole = found.get(`${UNIT_COINS[unit]} ${atMs}`)?.usd
    return !whole || isZero(whole) ? ZERO : divide(amount, whole)
  }
  const priceOf = (coinId: string, unit: Unit, atMs: number) => {
    const price = found.get(`${coinId} ${atMs}`)
    return price ? inUnit(price.usd, unit, atMs) : null
  }
  const pricedAt = (coinId: string, atMs: number) => {
    const price = found.get(`${coinId} ${atMs}`)
    return price ? new Date(price.atMs) : null
  }
  return { priceOf, inUnit, pricedAt }
}

/** Data of a coin beside its figures; null: unknown. */
export interface CoinDescription {
  coinId: string
  name: string | null
  symbol: string | null
  icon: string | null
  rank: number | null
  priceChange1h: string | null
  priceChange1d: string | null
  priceChange1w: string | null
  priceChange1m: string | null
  volume24hUsd: string | null
  avgChange: string | null
  liquidityScore: string | null
  volatilityScore: string | null
  marketCapScore: string | null
  riskScore: string | null
}

export async function describeCoins(
  db: ReadonlyDb,
  coinIds: readonly string[],
): Promise<Map<string, CoinDescription>> {
  const rows = await readSql(
    db,
    sql<CoinDescription>`
      ${preparedSelect('coin_descriptions')} coin.id as "coinId", name, upper(symbol) as symbol, icon, rank, price_change_1h as "priceChange1h",
        price_change_1d as "priceChange1d", price_change_1w as "priceChange1w", price_change_1m as "priceChange1m",
        volume_24h_usd as "volume24hUsd", avg_change as "avgChange", liquidity_score as "liquidityScore",
        volatility_score as "volatilityScore", market_cap_score as "marketCapScore", risk_score as "riskScore"
      from coins as coin
      left join coin_quotes as quote on quote.coin_id = coin.id
      left join coin_risks as risk on risk.coin_id = coin.id
      where coin.id = any(${[...coinIds]}::text[])`,
  )
  const known = new Map(rows.map((row) => [row.coinId, row]))
  const unlisted = coinIds.filter((coinId) => !known.has(coinId))
  if (unlisted.length > 0) for (const row of await describeUnlisted(db, unlisted)) known.set(row.coinId, row)
  return known
}

const UNKNOWN = {
  icon: null,
  rank: null,
  priceChange1h: null,
  priceChange1d: null,
  priceChange1w: null,
  priceChange1m: null,
  volume24hUsd: null,
  avgChange: null,
  liquidityScore: null,
  volatilityScore: null,
  marketCapScore: null,
  riskScore: null,
}

/**
 * Names of tokens that no coin list has (`address_network`), of NFTs (`contract-tokenId_network`), and of assets of
 * exchanges (`exchange_asset`).
 */
async function describeUnlisted(db: ReadonlyDb, coinIds: readonly string[]): Promise<CoinDescription[]> {
  const nfts = coinIds.map(nftOf)
  const rows = await readSql(
    db,
    sql<Pick<CoinDescription, 'coinId' | 'name' | 'symbol'> & { tokenId: string | null }>`
      select coin.id as "coinId", token.name, token.symbol, coin.token_id as "tokenId"
      from unnest(${[...coinIds]}::text[], ${nfts.map((nft) => nft?.contract ?? null)}::text[],
        ${nfts.map((nft) => nft?.tokenId ?? null)}::text[]) as coin (id, contract, token_id)
      join networks as network on network.blockchain = regexp_replace(coin.id, '^.*_', '')
      join tokens as token on token.network_id = network.id
        and token.address = coalesce(coin.contract, regexp_replace(coin.id, '_[^_]*$', ''))`,
  )
  const tokens = rows.map(({ coinId, name, symbol, tokenId }) => ({
    coinId,
    symbol,
    name: tokenId === null ? name : `${name ?? 'Unknown token'} #${tokenId}`,
  }))
  const assets = coinIds.flatMap((coinId) => {
    const [venue, asset] = coinId.split(/_(.*)/)
    return asset && EXCHANGES.some(({ id }) => id === venue) ? [{ coinId, name: asset, symbol: asset }] : []
  })
  return [...assets, ...tokens].map((row) => ({ ...UNKNOWN, ...row }))
}
