import { expect, test } from 'vitest'
import { coverShortfall } from '../../db/pnl/legs/cover-shortfall.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'

const text = formatDecimal

const TINY = `0.${'0'.repeat(33)}123`

/** role, coin, quantity and price of a leg */
type Seed = [role: Role, coinId: string, quantity: string, price: string | null]

const transaction = (txId: string, seeds: readonly Seed[]) =>
  seeds.map(([role, coinId, quantity, price], index): Leg => ({
    account: 'A',
    txId,
    seq: index + 5,
    atMs: 0,
    role,
    coinId,
    quantity: decimal(quantity),
    priceUsd: price === null ? null : decimal(price),
  }))

/** The openings that transactions of one instant need: transaction, place in it, coin, quantity and price. */
function openings(transactions: readonly (readonly Seed[])[], held: Record<string, string> = {}): string[] {
  const instant = transactions.map((seeds, index) => transaction(`t${index}`, seeds))
  const balances = new Map(Object.entries(held).map(([coinId, quantity]) => [coinId, decimal(quantity)]))
  return coverShortfall(instant, balances).flatMap((legs) =>
    legs.flatMap(({ txId, seq, role, coinId, quantity, priceUsd }) =>
      role === 'opening' ? [`${txId} ${seq} ${coinId} ${text(quantity)} ${priceUsd && text(priceUsd)}`] : [],
    ),
  )
}

test('what an instant takes beyond the balance is opened first in the transaction of the largest departure', () => {
  const sends: Seed[][] = [
    [['transfer', 'A', '-2', '7']],
    [
      ['fee', 'B', '-1', '1'],
      ['transfer', 'A', '-3', '7'],
    ],
    [['transfer', 'A', '-1', '7']],
  ]
  expect(openings(sends, { A: '2', B: '1' })).toEqual(['t1 4 A 4 7'])
  expect(openings(sends.toReversed(), { A: '2', B: '1' })).toEqual(['t1 4 A 4 7'])
  expect(openings(sends, { A: '6', B: '1' })).toEqual([])
  expect(openings([...sends, [['transfer', 'A', '4', '7']]], { A: '2' })).toEqual(['t1 4 B 1 1'])
})

test.each<[string, Seed[][], string | null]>([
  ['a transfer at its market price', [[['transfer', 'A', '-2', '7']]], '7'],
  ['a transfer at a price of very many digits', [[['transfer', 'A', '-2', TINY]]], TINY],
  [
    'a swap at what it brought',
    [
      [
        ['trade', 'A', '-2', '7'],
        ['trade', 'B', '3', '4'],
        ['trade', 'C', '1', '8'],
      ],
    ],
    '10',
  ],
  [
    'a swap with a fee at what it brought',
    [
      [
        ['trade', 'A', '-2', '7'],
        ['trade', 'B', '3', '4'],
        ['fee', 'C', '-1', '1'],
      ],
    ],
    '6',
  ],
  ['a swap for nothing at its market price', [[['trade', 'A', '-2', '7']]], '7'],
  [
    'a swap for a coin without a price at its market price',
    [
      [
        ['trade', 'A', '-2', '7'],
        ['trade', 'B', '3', '4'],
        ['trade', 'C', '1', null],
      ],
    ],
    '7',
  ],
  [
    'a swap of two coins at its market price',
    [
      [
        ['trade', 'A', '-2', '7'],
        ['trade', 'D', '-1', '1'],
        ['trade', 'B', '3', '4'],
      ],
    ],
    '7',
  ],
  [
    'transfers at the mean of their prices, by quantity',
    [[['transfer', 'A', '-3', '7']], [['transfer', 'A', '-1', '3']], [['transfer', 'A', '1', '100']]],
    '6',
  ],
  [
    'swaps at the mean of what they brought, whatever was sent',
    [
      [['transfer', 'A', '-9', '7']],
      [
        ['trade', 'A', '-1', '7'],
        ['trade', 'B', '3', '4'],
      ],
      [
        ['trade', 'A', '-3', '7'],
        ['trade', 'B', '6', '4'],
      ],
    ],
    '9',
  ],
  [
    'one swap alone at what it brought, whatever was sent',
    [
      [['transfer', 'A', '-9', '7']],
      [
        ['trade', 'A', '-1', '7'],
        ['trade', 'B', '3', '4'],
      ],
    ],
    '12',
  ],
  [
    'departures without a price as none, although another has one',
    [[['transfer', 'A', '-9', null]], [['transfer', 'A', '-1', '7']]],
    null,
  ],
  [
    'a departure with a price at it, beside one without',
    [[['transfer', 'A', '-9', '7']], [['transfer', 'A', '-1', null]], [['transfer', 'B', '-1', '3']]],
    '7',
  ],
])('a missing quantity is opened of %s', (_, transactions, price) => {
  const own = openings(transactions, { B: '9', C: '9', D: '9' }).filter((one) => one.includes(' A '))
  expect(own.map((one) => one.split(' ')[4])).toEqual([String(price)])
})
