import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { describeCoins } from '../../db/pnl/lots/read-coins.ts'
import { readSnapshotCoins, type SnapshotCoin } from '../../db/portfolios/read-snapshots.ts'
import {
  compare,
  type Decimal,
  decimal,
  divide,
  isZero,
  multiply,
  subtract,
  sum,
  toNumber,
  ZERO,
} from '../../db/values/decimal.ts'
import { coinOf } from '../chain/coin.ts'

const coinBalanceSchema = z.object({
  symbol: z.string(),
  icon: z.string().describe('Empty when unknown'),
  quantity: z.number(),
  balance: z.number().describe('USD, at the price of that midnight'),
  quantityChange: z.number(),
  balanceChange: z.number(),
  pricePerUnit: z.number().describe('USD, 0 when unknown'),
  pricePercentChange: z.number().describe('0 when either price is unknown'),
})

export const snapshotSchema = z.object({
  date: z.iso.datetime(),
  coinBalances: z.array(coinBalanceSchema).describe('The largest balance first'),
  totalBalance: z.number(),
  totalBalanceChange: z.number(),
  totalBalancePercentChange: z.number().describe('0 when the previous total is 0'),
})

interface Coin {
  coinId: string
  quantity: Decimal
  balance: Decimal
  price: Decimal
}

const HUNDRED = decimal('100')

/** Snapshots of the given midnights in order, each compared with the one before it. */
export async function snapshotItems(
  db: ReadonlyDb,
  options: {
    portfolioIds: readonly string[]
    dates: readonly Date[]
    previous: Date | null
    coinIds?: readonly string[] | undefined
  },
): Promise<z.output<typeof snapshotSchema>[]> {
  const { dates, previous } = options
  const all = previous ? [previous, ...dates] : dates
  const rows = await readSnapshotCoins(db, { ...options, dates: all })
  const byDate = Map.groupBy(rows, ({ at }) => at.getTime())
  const coinsAt = all.map((date) => (byDate.get(date.getTime()) ?? []).map(coinOfRow))
  const descriptions = await describeCoins(db, [...new Set(rows.map(({ coinId }) => coinId))])
  const first = previous ? 1 : 0
  return dates.map((date, index) => {
    const before = coinsAt[index + first - 1] ?? []
    const coins = withGone(coinsAt[index + first]!, before)
    const total = sum(coins.map(({ balance }) => balance))
    const totalBefore = sum(before.map(({ balance }) => balance))
    const old = new Map(before.map((coin) => [coin.coinId, coin]))
    return {
      date: date.toISOString(),
      coinBalances: coins.map((coin) => {
        const { symbol, icon } = coinOf(coin.coinId, descriptions.get(coin.coinId))
        return { symbol, icon, ...changesOf(coin, old.get(coin.coinId)) }
      }),
      totalBalance: toNumber(total),
      totalBalanceChange: toNumber(subtract(total, totalBefore)),
      totalBalancePercentChange: percentChange(total, totalBefore),
    }
  })
}

function coinOfRow({ coinId, quantity, balanceUsd, priceUsd }: SnapshotCoin): Coin {
  const price = priceUsd === null ? ZERO : decimal(priceUsd)
  return { coinId, quantity: decimal(quantity), balance: decimal(balanceUsd), price }
}

/** Coins that are held, and coins that were held at the previous midnight and are gone. */
function withGone(coins: readonly Coin[], before: readonly Coin[]): Coin[] {
  const held = new Set(coins.map(({ coinId }) => coinId))
  const gone = before.filter(({ coinId, quantity }) => !held.has(coinId) && !isZero(quantity))
  return [...coins, ...gone.map((coin) => ({ ...coin, quantity: ZERO, balance: ZERO, price: ZERO }))].sort(
    (a, b) => compare(b.balance, a.balance) || (a.coinId < b.coinId ? -1 : 1),
  )
}

function changesOf({ quantity, balance, price }: Coin, old: Coin | undefined) {
  return {
    quantity: toNumber(quantity),
    balance: toNumber(balance),
    quantityChange: toNumber(subtract(quantity, old?.quantity ?? ZERO)),
    balanceChange: toNumber(subtract(balance, old?.balance ?? ZERO)),
    pricePerUnit: toNumber(price),
    pricePercentChange: isZero(price) ? 0 : percentChange(price, old?.price ?? ZERO),
  }
}

function percentChange(now: Decimal, before: Decimal): number {
  return isZero(before) ? 0 : toNumber(divide(multiply(subtract(now, before), HUNDRED), before))
}
