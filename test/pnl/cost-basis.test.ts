import { describe, expect, test } from 'vitest'
import { coinItem } from '../../db/pnl/lots/coin-item.ts'
import { NO_MOVES } from '../../db/pnl/lots/coin-state.ts'
import { foldLots, stateOf } from '../../db/pnl/lots/fold-lots.ts'
import { createLotPool, COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import {
  decimal,
  divide,
  formatDecimal,
  multiply,
  subtract,
  toNumber,
  ZERO,
} from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import rotkiTable from './cases/03-average-cost-rotki-table.json' with { type: 'json' }
import portfolioPerformance from './cases/05-portfolio-performance-cost.json' with { type: 'json' }
import coinStats from './cases/09-coinstats-options.json' with { type: 'json' }
import rotkiFees from './cases/10-rotki-fees.json' with { type: 'json' }
import numberSizes from './cases/12-number-sizes.json' with { type: 'json' }

const text = formatDecimal
const product = (a: string, b: string) => multiply(decimal(a), decimal(b))

test('03 average cost, rotki: eleven steps, uncovered quantity at zero cost', () => {
  const pool = createLotPool('average')
  rotkiTable.steps.forEach((step, seq) => {
    let gain = ZERO
    if (step.op === 'in') {
      pool.add({ atMs: seq, seq, quantity: decimal(step.qty), cost: product(step.qty, step.price) })
    } else {
      const { cost, missing } = pool.take(decimal(step.qty))
      gain = subtract(product(step.qty, step.price), cost)
      expect(text(missing)).toBe(step.missing)
    }
    const state = { gain: text(gain), totalCost: text(pool.cost()), qtyAfter: text(pool.quantity()) }
    expect(state).toEqual({ gain: step.gain, totalCost: step.totalCost, qtyAfter: step.qtyAfter })
  })
})

describe('05 Portfolio Performance: the cost left after the operations', () => {
  portfolioPerformance.cases.forEach((item, index) => {
    for (const method of ['fifo', 'average'] as const) {
      test(`case ${index + 1}, ${method}`, () => {
        const pool = createLotPool(method)
        item.ops.forEach(([op, quantity, amount], seq) => {
          if (op === 'b') pool.add({ atMs: seq, seq, quantity: decimal(quantity!), cost: decimal(amount!) })
          else pool.take(decimal(quantity!))
        })
        // The first case has cents, the second one the precision of a double.
        const places = item[method].includes('.') ? item[method].split('.')[1]!.length : 0
        expect(toNumber(divide(pool.cost(), decimal('1'), places))).toBe(Number(item[method]))
      })
    }
  })
})

type Order = { kind: 'buy' | 'sell'; quantity: string; amount: Decimal }

function foldOrders(orders: Order[], method: CostMethod) {
  const gains: Decimal[] = []
  const entries = orders.map(({ kind, quantity, amount }, atMs) => {
    const common = {
      reason: 'trade' as const,
      coinId: 'COIN',
      quantity: decimal(quantity),
      marketUsd: amount,
    }
    const posting =
      kind === 'buy'
        ? { kind: 'acquire' as const, ...common, costUsd: amount }
        : { kind: 'dispose' as const, ...common, proceedsUsd: amount }
    return { txId: `${atMs}`, atMs, postings: [posting] }
  })
  const coins = foldLots({
    entries,
    method,
    onDisposal: ({ proceeds, cost }) => gains.push(subtract(proceeds, cost)),
  })
  return { coin: coins.get('COIN')!, gains }
}

describe('09 CoinStats: profit by cost method', () => {
  coinStats.cases.forEach((item, index) => {
    for (const method of ['average', 'fifo', 'lifo'] as const) {
      test(`case ${index + 1}, ${method}`, () => {
        const orders = item.ops.map((op) => {
          const [kind, quantity, price] = op.split(/ @?/)
          return { kind: kind as Order['kind'], quantity: quantity!, amount: product(quantity!, price!) }
        })
        const { profit, totalCost } = coinItem(stateOf(foldOrders(orders, method).coin), {
          price: decimal(item.price),
          dayAgoPrice: ZERO,
          recent: NO_MOVES,
        })
        const expected = { ...item, unrealized: item.unrealized ?? item.currentHoldings }
        for (const key of ['allTime', 'unrealized', 'realized'] as const) {
          if (expected[key] !== undefined) expect(text(profit[key]), key).toBe(expected[key])
        }
        if (item.totalCost !== undefined) expect(text(totalCost)).toBe(item.totalCost)
      })
    }
  })
})

describe('10 rotki fees', () => {
  const orders = rotkiFees.ops.map((op): Order & { fee: Decimal } => ({
    kind: op.buy ? 'buy' : 'sell',
    quantity: op.buy ?? op.sell!,
    amount: decimal(op.cost ?? op.proceeds!),
    fee: decimal(op.fee),
  }))
  test('average with fees in the cost basis', () => {
    const withFees = orders.map((order) => ({
      ...order,
      amount: subtract(order.amount, order.kind === 'buy' ? subtract(ZERO, order.fee) : order.fee),
    }))
    expect(foldOrders(withFees, 'average').gains.map(text)).toEqual(rotkiFees.averageFeesInBasis.gains)
  })
  test('FIFO with separate fees', () => {
    expect(foldOrders(orders, 'fifo').gains.map(text)).toEqual(rotkiFees.fifoFeesSeparate.gains)
    const money = foldOrders(
      [
        { kind: 'buy', quantity: '40', amount: decimal('40') },
        ...orders.map(({ fee }): Order => ({ kind: 'sell', quantity: text(fee), amount: ZERO })),
      ],
      'fifo',
    )
    expect(money.gains.map(text)).toEqual(rotkiFees.fifoFeesSeparate.feeLosses)
  })
})

for (const method of COST_METHODS) {
  test(`12 N6, ${method}: selling ten thirds leaves no quantity and no cost`, () => {
    const expected = numberSizes.cases.find((item) => item.id === 'N6')!
    const pool = createLotPool(method)
    const third = divide(decimal('1'), decimal('3'), 18)
    for (let seq = 0; seq < 10; seq++) pool.add({ atMs: seq, seq, quantity: third, cost: third })
    expect(text(pool.quantity())).toBe(expected.qty)
    pool.take(pool.quantity())
    expect([text(pool.quantity()), text(pool.cost())]).toEqual(['0', expected.remainingCost])
  })
}

test.each(COST_METHODS)(
  '%s: a lot whose share of a wrap rounds to zero keeps its cost in the pool',
  (method) => {
    const leg = (coinId: string, quantity: string, usd: string) => ({
      coinId,
      quantity: decimal(quantity),
      marketUsd: decimal(usd),
    })
    const buy = (quantity: string, usd: string) => ({
      kind: 'acquire' as const,
      reason: 'receipt' as const,
      ...leg('dust', quantity, usd),
      costUsd: decimal(usd),
    })
    const small = '0.000000000000000001'
    const wrap = {
      kind: 'carry' as const,
      from: [leg('dust', '2000000.000000000000000001', '2')],
      to: [leg('wrapped', small, '2')],
    }
    const entries = [[buy(small, '0.5')], [buy('2000000', '2')], [wrap]].map((postings, index) => ({
      txId: String(index),
      atMs: index,
      postings,
    }))
    const { pool } = foldLots({ entries, method }).get('wrapped')!
    expect([text(pool.quantity()), text(pool.cost())]).toEqual([small, '2.5'])
  },
)
