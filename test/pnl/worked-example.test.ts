import { describe, expect, test } from 'vitest'
import { coinItem } from '../../db/pnl/lots/coin-item.ts'
import { foldLots, realised, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import type { Disposal } from '../../db/pnl/lots/fold-lots.ts'
import { ledgerOf } from './engine/ledger.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import { scopePostings } from './engine/scope-postings.ts'
import { type Move, NO_MOVES, sumMoves } from '../../db/pnl/lots/coin-state.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { externalFlow } from '../../db/pnl/periods/flow-walk.ts'
import { legKey } from '../../db/pnl/legs/leg.ts'
import { divide, formatDecimal, subtract, sum, toNumber } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import aggregates from './cases/02-aggregates.json' with { type: 'json' }
import coinItems from './cases/11-coin-items.json' with { type: 'json' }
import { annualRate, modifiedDietz, timeWeightedReturn } from './return-measures.ts'
import { ACCOUNTS, fixture, STABLE, workedExample } from './worked-example.ts'

const fromMs = Date.parse('2024-01-01')
const toMs = Date.parse('2024-01-10')
const { legs, matches, prices } = workedExample()
const text = formatDecimal
/** Rounds to 12 places, like the figures of the cases. */
const rounded = (value: Decimal) => text(divide(value, { coefficient: 1n, scale: 0 }, 12))

type Interval = 'daily' | 'weekly' | 'monthly'

function scopePeriodsOf(scope: keyof typeof ACCOUNTS, interval: Interval) {
  const ledger = ledgerOf({ legs, matches, accounts: new Set(ACCOUNTS[scope]) })
  return scopePeriods({ ledger, prices, fromMs, cutsMs: cutPoints({ interval, fromMs, toMs }) })
}

function periods(scope: keyof typeof ACCOUNTS, interval: Interval) {
  return scopePeriodsOf(scope, interval).map((period) => {
    const { profitLoss, profitLossPercent } = periodProfit(period)
    return {
      date: new Date(period.endMs).toISOString(),
      startValue: text(period.opening),
      endValue: text(period.closing),
      netFlow: text(period.flow),
      profitLoss: text(profitLoss),
      profitLossPercent: rounded(profitLossPercent),
    }
  })
}

describe('01 daily points equal the example, by scope', () => {
  for (const [scope, expected] of Object.entries(fixture.expected.daily)) {
    test(scope, () => expect(periods(scope as keyof typeof ACCOUNTS, 'daily')).toEqual(expected))
  }
})

describe('01 the whole range', () => {
  const of = (scope: keyof typeof ACCOUNTS) => scopePeriodsOf(scope, 'daily')
  const profitOf = (list: ReturnType<typeof of>) => sum(list.map((period) => periodProfit(period).profitLoss))
  const { range } = fixture.expected

  test('profit, flow and value equal the example', () => {
    const days = of('portfolio')
    expect(text(profitOf(days))).toBe(range.profitLoss)
    expect(text(sum(days.map((day) => day.flow)))).toBe(range.netFlow)
    expect(text(days.at(-1)!.closing)).toBe(range.endValue)
  })

  test('the portfolio is the sum of its scopes and the gain of 0.199 ETH in flight on two days', () => {
    const parts = [of('exchange'), of('wallet_ethereum'), of('wallet_base')]
    const drift = of('portfolio').map((day, index) =>
      text(subtract(profitOf([day]), sum(parts.map((part) => profitOf([part[index]!]))))),
    )
    expect(drift).toEqual(['0', '0', '0', '0', '0.398', '0.398', '0', '0', '0'])
  })

  test('other measures of return follow from the same days and flows', () => {
    const { transactions, isInternal } = ledgerOf({ legs, matches, accounts: new Set(ACCOUNTS.portfolio) })
    const flows = transactions
      .map((transaction) => externalFlow(transaction.legs, isInternal))
      .filter((flow) => flow !== null)
      .map(({ atMs, usd }) => ({ atMs, amount: toNumber(usd) }))
    const closing = toNumber(of('portfolio').at(-1)!.closing)
    expect(timeWeightedReturn(of('portfolio'))).toBeCloseTo(Number(range.twrStartInEndOut), 11)
    const dietz = modifiedDietz({ flows, fromMs, toMs, profit: Number(range.profitLoss) })
    expect(dietz).toBeCloseTo(Number(range.modifiedDietzWholeWindow), 11)
    const paid = flows.map(({ atMs, amount }) => ({ atMs: startOfPeriod('daily', atMs), amount: -amount }))
    const rate = annualRate([...paid, { atMs: toMs, amount: closing }])
    expect(rate / Number(range.xirrAnnualDayGranular_end_2024_01_10)).toBeCloseTo(1, 9)
  })
})

describe('02 aggregates', () => {
  test('weekly points equal the example, with the last week cut at the end of the range', () => {
    const expected = aggregates.weekly.map((week) => ({ ...week, date: week.date.slice(0, 24) }))
    expect(periods('portfolio', 'weekly')).toEqual(expected)
  })
  test('monthly points equal the example', () => {
    const { date, profitLoss, profitLossPercent } = periods('portfolio', 'monthly')[0]!
    const { note: _, ...expected } = aggregates.monthly[0]!
    expect({ date, profitLoss, profitLossPercent }).toEqual(expected)
  })
})

function fold(method: CostMethod, onDisposal?: (disposal: Disposal) => void) {
  const ledger = ledgerOf({ legs, matches, accounts: new Set(ACCOUNTS.portfolio) })
  const rules = { isStable: (coinId: string) => STABLE.has(coinId), trust: () => 0 }
  const entries = scopePostings({ ledger, prices, rules })
  const moves: Move[] = []
  const onMove = (move: Move) => moves.push(move)
  const coins = foldLots({ entries, method, onMove, ...(onDisposal && { onDisposal }) })
  const recents = sumMoves(moves.filter(({ atMs }) => atMs >= toMs - DAY_MS))
  const itemOf = (coinId: string) =>
    coinItem(stateOf(coins.get(coinId)!), {
      price: prices.at(coinId, toMs)!,
      dayAgoPrice: prices.at(coinId, toMs - DAY_MS)!,
      recent: recents.get(coinId) ?? NO_MOVES,
    })
  return { coins, itemOf }
}

describe('01 cost basis', () => {
  const methods = { average: 'avg', fifo: 'fifo', lifo: 'lifo', hifo: 'hifo' } as const
  for (const [method, name] of Object.entries(methods)) {
    const expected = fixture.expected.costBasis[name]
    test(`${method}: every disposal equals the example`, () => {
      const disposals: Record<string, string>[] = []
      fold(method as CostMethod, (disposal) => {
        disposals.push({
          tx: disposal.txId,
          asset: disposal.coinId,
          qty: text(disposal.quantity),
          proceeds: text(disposal.proceeds),
          cost: rounded(disposal.cost),
          gain: rounded(subtract(disposal.proceeds, disposal.cost)),
          reason: disposal.reason === 'send' ? 'withdraw' : disposal.reason,
        })
      })
      expect(disposals).toEqual(expected.disposals)
    })
    test(`${method}: the figures of every coin equal the example`, () => {
      const { coins, itemOf } = fold(method as CostMethod)
      const figures = Object.fromEntries(
        [...coins].map(([coinId, coin]) => {
          const price = prices.at(coinId, toMs)!
          const item = itemOf(coinId)
          const figure = {
            count: text(item.count),
            price: text(price),
            value: text(sum([item.profit.unrealized, item.totalCost])),
            totalCost: rounded(item.totalCost),
            averageCost: rounded(item.averageBuy.unrealized),
            unrealized: rounded(item.profit.unrealized),
            realized: rounded(item.profit.realized),
            allTime: rounded(item.profit.allTime),
            acquiredQty: text(coin.acquired.quantity),
            acquisitionCost: text(coin.acquired.amount),
            disposedQty: text(coin.disposed.quantity),
            disposalProceeds: text(coin.disposed.amount),
            disposedCost: rounded(coin.disposedCost),
          }
          return [coinId, figure]
        }),
      )
      expect(figures).toEqual(expected.coins)
      expect(rounded(sum([...coins.values()].map(realised)))).toBe(expected.totals.realized)
    })
  }
})

describe('11 coin items equal the example', () => {
  const { itemOf } = fold('average')
  for (const [coinId, expected] of Object.entries(coinItems.items)) {
    test(coinId, () => {
      const { base: _, value: __, ...item } = itemOf(coinId)
      const flat = (value: object): unknown =>
        Object.fromEntries(
          Object.entries(value).map(([key, part]) => [key, 'scale' in part ? rounded(part) : flat(part)]),
        )
      expect(flat(item)).toEqual(expected)
    })
  }
})

test('11 the coins add up to the profit of the last day and of all days', () => {
  const { coins, itemOf } = fold('average')
  const items = [...coins.keys()].map(itemOf)
  const total = (key: 'hour24' | 'allTime') => rounded(sum(items.map((item) => item.profit[key])))
  expect([total('hour24'), total('allTime')]).toEqual(['57.776', '1500.5'])
})

test('the matcher finds exactly the own transfers of the example', () => {
  const pairs = (list: typeof matches) => list.map((match) => `${legKey(match.out)} > ${legKey(match.in)}`)
  expect(pairs(matchTransfers(legs.toReversed()))).toEqual(pairs(matches))
})
