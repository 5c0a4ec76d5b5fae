import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { divide, isZero, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { DAY_MS } from '../../values/periods.ts'
import { type CoinItem, coinItem } from './coin-item.ts'
import { NO_MOVES, type RecentMoves, type StoredCoin, sumMoves } from './coin-state.ts'
import { type InUnits, inUnits, readCoinStates, readMoves, type Unit } from './fold-rows.ts'
import { pricesInForce } from '../valuation/prices-in-force.ts'
import { UNIT_COINS } from '../valuation/unit-prices.ts'

export interface CoinRow {
  coinId: string
  item: InUnits<CoinItem>
  /** the state from which `item` is computed */
  state: InUnits<StoredCoin>
  recent: InUnits<RecentMoves>
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
  const states = await readCoinStates(db, input)
  const moves = await readMoves(db, { foldId, from: new Date(dayAgoMs) })
  const recent = inUnits((unit) => sumMoves(moves[unit]))
  const coinIds = [...states.keys()]
  const priceOf = await pricesNowAndBefore(db, { coinIds, nowMs })
  return coinIds.map((coinId) => {
    const state = states.get(coinId)!
    const own = inUnits((unit) => recent[unit].get(coinId) ?? NO_MOVES)
    const item = inUnits((unit) => coinItem(state[unit], { ...priceOf(coinId, unit), recent: own[unit] }))
    return { coinId, item, state, recent: own }
  })
}

/** Prices of coins in each unit, now and a day ago. */
export async function pricesNowAndBefore(
  db: ReadonlyDb,
  { coinIds, nowMs }: { coinIds: readonly string[]; nowMs: number },
): Promise<(coinId: string, unit: Unit) => { price: Decimal; dayAgoPrice: Decimal }> {
  const dayAgoMs = nowMs - DAY_MS
  const priceOf = await pricesAt(db, { coinIds, instantsMs: [nowMs, dayAgoMs] })
  return (coinId, unit) => ({
    price: priceOf(coinId, unit, nowMs),
    dayAgoPrice: priceOf(coinId, unit, dayAgoMs),
  })
}

/** Prices in each unit; 0 for a coin without one. */
async function pricesAt(
  db: ReadonlyDb,
  { coinIds, instantsMs }: { coinIds: readonly string[]; instantsMs: readonly number[] },
): Promise<(coinId: string, unit: Unit, atMs: number) => Decimal> {
  const ids = [...new Set([...coinIds, ...Object.values(UNIT_COINS)])]
  const cells = instantsMs.flatMap((atMs) => ids.map((coinId) => ({ coinId, atMs })))
  const prices = await pricesInForce(db, cells)
  const usd = new Map(
    cells.map(({ coinId, atMs }, index) => [`${coinId} ${atMs}`, prices[index]?.usd ?? ZERO]),
  )
  return (coinId, unit, atMs) => {
    const price = usd.get(`${coinId} ${atMs}`)!
    if (unit === 'usd') return price
    const whole = usd.get(`${UNIT_COINS[unit]} ${atMs}`)!
    return isZero(whole) ? ZERO : divide(price, whole)
  }
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
      select coin.id as "coinId", name, upper(symbol) as symbol, icon, rank, price_change_1h as "priceChange1h",
        price_change_1d as "priceChange1d", price_change_1w as "priceChange1w", price_change_1m as "priceChange1m",
        volume_24h_usd as "volume24hUsd", avg_change as "avgChange", liquidity_score as "liquidityScore",
        volatility_score as "volatilityScore", market_cap_score as "marketCapScore", risk_score as "riskScore"
      from coins as coin
      left join coin_quotes as quote on quote.coin_id = coin.id
      left join coin_risks as risk on risk.coin_id = coin.id
      where coin.id = any(${[...coinIds]}::text[])`,
  )
  return new Map(rows.map((row) => [row.coinId, row]))
}
