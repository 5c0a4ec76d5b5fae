import { coinItem } from '../../db/pnl/lots/coin-item.ts'
import { NO_MOVES } from '../../db/pnl/lots/coin-state.ts'
import { foldLots, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import type { Disposal } from '../../db/pnl/lots/fold-lots.ts'
import { insertOpenings } from './engine/insert-openings.ts'
import { ledgerOf } from './engine/ledger.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { createPriceBook } from '../../db/pnl/valuation/price-book.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import { scopePostings } from './engine/scope-postings.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { decimal, type Decimal, divide, formatDecimal, subtract, ZERO } from '../../db/values/decimal.ts'
import { cutPoints } from '../../db/values/periods.ts'

/** [role, account, coin, signed quantity]; the legs of one transaction share one key. */
export type ScenarioLeg = [Role, string, string, string]

export interface Scenario {
  /** prices by coin and instant */
  prices: Record<string, Record<string, string>>
  /** legs by instant; a suffix after a space separates transactions of one instant */
  transactions: Record<string, ScenarioLeg[]>
  accounts?: string[]
  from?: string
  to?: string
  method?: CostMethod
  /** unit of account of the lots instead of USD */
  unit?: string
}

const instantOf = (key: string) => Date.parse(key.split(' ')[0]!)
const text = formatDecimal
const rounded = (value: Parameters<typeof text>[0]) => text(divide(value, decimal('1'), 6))

/** Computes the daily periods (by default the one day 2024-01-01) and the lots of a scenario. */
export function runScenario(scenario: Scenario) {
  const fromMs = Date.parse(scenario.from ?? '2024-01-01')
  const toMs = Date.parse(scenario.to ?? '2024-01-02')
  const prices = createPriceBook(
    Object.entries(scenario.prices).flatMap(([coinId, points]) =>
      Object.entries(points).map(([at, usd]) => ({ coinId, atMs: Date.parse(at), usd: decimal(usd) })),
    ),
  )
  const written = Object.entries(scenario.transactions).flatMap(([key, items]) =>
    items.map(([role, account, coinId, quantity], seq): Leg => {
      const atMs = instantOf(key)
      const priceUsd = prices.at(coinId, atMs)
      const isUnpriced = priceUsd === null
      return {
        account,
        txId: key,
        seq,
        atMs,
        role,
        coinId,
        quantity: decimal(quantity),
        priceUsd,
        isUnpriced,
      }
    }),
  )
  const legs = insertOpenings(written)
  const matches = matchTransfers(written)
  const accounts = new Set(scenario.accounts ?? legs.map((leg) => leg.account))
  const ledger = ledgerOf({ legs, matches, accounts })
  const periods = scopePeriods({
    ledger,
    prices,
    fromMs,
    cutsMs: cutPoints({ interval: 'daily', fromMs, toMs }),
  })
  const rules = { isStable: (coinId: string) => coinId === 'USDC', trust: () => 0 }
  const disposals: Disposal[] = []
  const { unit } = scenario
  const unitUsd = (atMs: number) => (unit ? prices.at(unit, atMs) : decimal('1'))
  const coins = foldLots({
    entries: scopePostings({ ledger, prices, rules }),
    method: scenario.method ?? 'average',
    ...(unit && { unitUsd }),
    onDisposal: (disposal) => disposals.push(disposal),
  })
  return {
    /** 'profit percent% flow' of each day */
    days: periods.map((period) => {
      const { profitLoss, profitLossPercent } = periodProfit(period)
      return `${text(profitLoss)} ${rounded(profitLossPercent)}% ${text(period.flow)}`
    }),
    closing: text(periods.at(-1)!.closing),
    openings: legs
      .filter((leg) => leg.role === 'opening')
      .map((leg) => `${text(leg.quantity)} ${leg.coinId}`),
    matches: matches.length,
    /** realised gain of each disposal */
    gains: disposals.map(
      (disposal) => `${disposal.coinId} ${rounded(subtract(disposal.proceeds, disposal.cost))}`,
    ),
    coin(coinId: string) {
      const usd = prices.at(coinId, toMs)
      const inUnit = (amount: Decimal) => divide(amount, unitUsd(toMs)!)
      const price = usd && inUnit(usd)
      const item = coinItem(stateOf(coins.get(coinId)!), {
        price,
        dayAgoPrice: ZERO,
        recent: NO_MOVES,
        inUnit,
      })
      return {
        count: text(item.count),
        value: rounded(item.value),
        basis: rounded(item.totalCost),
        realized: rounded(item.profit.realized),
        unrealized: `${rounded(item.profit.unrealized)} ${rounded(item.profitPercent.unrealized)}%`,
        averageBuy: rounded(item.averageBuy.allTime),
      }
    },
  }
}
