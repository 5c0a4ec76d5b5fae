import { expect, test } from 'vitest'
import { inOrder, instantsOf, turnOf } from '../../db/pnl/legs/instants.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'

/** A transaction of legs of a coin and a quantity, such as `A 1`. */
const transaction = (txId: string, atMs: number, role: Role, ...legs: string[]) =>
  legs.map((text, seq): Leg => {
    const [coinId, quantity] = text.split(' ')
    const common = { account: 'book', txId, seq, atMs, role, priceUsd: null }
    return { ...common, coinId: coinId!, quantity: decimal(quantity!) }
  })

/** Instants of transactions, each with its id and its legs in their order. */
const shown = (transactions: readonly (readonly Leg[])[], isOrdered = false) =>
  instantsOf(transactions.flat(), { isOrdered }).map((instant) =>
    instant.map(
      (legs) =>
        `${[...new Set(legs.map(({ txId }) => txId))].join()}: ${legs.map(({ coinId, quantity }) => `${coinId} ${formatDecimal(quantity)}`).join(', ')}`,
    ),
  )

test('transactions of one time are one instant, unless the source orders them', () => {
  const transactions = [
    transaction('t1', 1, 'transfer', 'A 1', 'B 1'),
    transaction('t2', 1, 'transfer', 'A 2'),
    // The same id at another time is another transaction.
    transaction('t2', 2, 'transfer', 'A 3'),
    transaction('t3', 3, 'transfer', 'A 4'),
  ]
  expect(shown(transactions)).toEqual([['t1: A 1, B 1', 't2: A 2'], ['t2: A 3'], ['t3: A 4']])
  expect(shown(transactions, true)).toEqual([['t1: A 1, B 1'], ['t2: A 2'], ['t2: A 3'], ['t3: A 4']])
})

test('within a time arrivals come first and departures last, whatever their ids and the order of their legs', () => {
  const [arrival, swap, departure] = [['A 9', 'B 1'], ['A -1', 'B 1', 'C 2'], ['B -1']]
  const one = [
    transaction('1', 1, 'transfer', ...departure),
    transaction('2', 1, 'trade', ...swap),
    transaction('3', 1, 'transfer', ...arrival),
  ]
  const other = [
    transaction('1', 1, 'trade', ...swap.toReversed()),
    transaction('2', 1, 'transfer', ...arrival),
    transaction('3', 1, 'transfer', ...departure),
  ]
  expect(shown(one)).toEqual([['3: A 9, B 1', '2: A -1, B 1, C 2', '1: B -1']])
  expect(shown(other)).toEqual([['2: A 9, B 1', '1: A -1, B 1, C 2', '3: B -1']])
  // The source's own order stays.
  expect(shown(other, true)[0]).toEqual(['1: C 2, B 1, A -1'])
})

test('transactions of the same content stay as they came', () => {
  const alike = ['x', 'c', 'y', 'a'].map((txId) => transaction(txId, 1, 'transfer', 'A 1'))
  expect(shown(alike)).toEqual([['x: A 1', 'c: A 1', 'y: A 1', 'a: A 1']])
})

test('wraps of one time that share a coin are one, in the first of them, and what is beside them stays', () => {
  const chain = [
    transaction('1', 1, 'wrap', 'A -1', 'B 1'),
    transaction('2', 1, 'wrap', 'B -1', 'C 1'),
    transaction('3', 1, 'wrap', 'C -1', 'A 1'),
    transaction('4', 1, 'wrap', 'X -1', 'Y 1'),
    transaction('5', 1, 'trade', 'B -1', 'C 1'),
  ]
  expect(shown(chain)).toEqual([['5: B -1, C 1', '1: A -1, B 1, C -1, A 1, B -1, C 1', '4: X -1, Y 1']])
  const withFee = (legs: readonly Leg[], coin: string) => [
    ...legs,
    { ...transaction(legs[0]!.txId, 1, 'fee', coin)[0]!, seq: 2 },
  ]
  expect(shown([withFee(chain[1]!, 'E -1'), withFee(chain[0]!, 'D -1')])).toEqual([
    ['1: D -1, A -1, B 1, B -1, C 1', '2: E -1'],
  ])
  // Two groups that a third transaction joins.
  const joined = [
    transaction('1', 1, 'wrap', 'A -1', 'B 1'),
    transaction('2', 1, 'wrap', 'C -1', 'D 1'),
    transaction('3', 1, 'wrap', 'D -1', 'B 1', 'Z 1'),
  ]
  expect(shown(joined)).toHaveLength(1)
  expect(shown(joined)[0]).toHaveLength(1)
  // At other times they stay apart.
  expect(shown(chain.slice(0, 2).map((legs, atMs) => legs.map((leg) => ({ ...leg, atMs }))))).toEqual([
    ['1: A -1, B 1'],
    ['2: B -1, C 1'],
  ])
})

test('instants of several books compare by time, then by what they do', () => {
  const [arrival, swap, departure] = ['A 1', 'A 1,B -1', 'A -1'].map((legs) => [
    transaction('t', 5, 'trade', ...legs.split(',')),
  ])
  const early = [transaction('t', 4, 'trade', 'A -1')]
  const late = [transaction('t', 6, 'trade', 'A 1')]
  const sorted = [early, arrival!, swap!, departure!, late]
  for (const [i, one] of sorted.entries())
    for (const [k, other] of sorted.entries()) expect(Math.sign(inOrder(one, other))).toBe(Math.sign(i - k))
  expect(
    [
      ['A 1', 'B 1'],
      ['A 1', 'B -1'],
      ['A 1', 'B 0'],
      ['A -1', 'B -1'],
    ].map((legs) => turnOf(transaction('t', 1, 'trade', ...legs))),
  ).toEqual([0, 1, 1, 2])
})
