import { expect, test } from 'vitest'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import type { Posting, PostingRules } from '../../db/pnl/lots/posting.ts'
import { acquisitionsFirst, postingsOf } from '../../db/pnl/lots/postings.ts'
import { decimal, formatDecimal, ZERO } from '../../db/values/decimal.ts'

const text = formatDecimal
const RULES: PostingRules = {
  isStable: (coinId) => coinId.startsWith('USD'),
  trust: (coinId) => (coinId === 'BTC' ? 1 : 0),
  isInternal: () => false,
  feeOf: () => ZERO,
}

/** `price` null: none */
const leg = (role: Role, coinId: string, quantity: string, price: string | null, paid?: string): Leg => ({
  account: 'A',
  txId: 'tx',
  seq: 0,
  atMs: 0,
  role,
  coinId,
  quantity: decimal(quantity),
  priceUsd: price === null ? null : decimal(price),
  ...(paid !== undefined && { paidUsd: decimal(paid) }),
})

const shown = (posting: Posting): string => {
  if (posting.kind === 'carry')
    return `carry ${posting.from.map(({ coinId }) => coinId).join()} to ${posting.to.map(({ coinId }) => coinId).join()}`
  const { kind, coinId, quantity } = posting
  if (kind === 'unvalued') return `unvalued ${text(quantity)} ${coinId}`
  const usd = posting.kind === 'acquire' ? posting.costUsd : posting.proceedsUsd
  return `${posting.reason} ${text(quantity)} ${coinId} ${text(usd)}`
}

const postings = (legs: readonly Leg[], rules: Partial<PostingRules> = {}) =>
  postingsOf({ txId: 'tx', atMs: 0, legs: [...legs] }, { ...RULES, ...rules }).map(shown)

test.each<[string, Leg[], string[]]>([
  ['both sides carry the cost', [leg('wrap', 'A', '-2', '5'), leg('wrap', 'B', '2', '5')], ['carry A to B']],
  ['only an arrival is income', [leg('wrap', 'B', '2', '5')], ['income 2 B 0']],
  ['only a departure is a loss', [leg('wrap', 'A', '-2', '5')], ['loss 2 A 0']],
  [
    'a side without a price makes the other a flow at market',
    [leg('wrap', 'A', '-2', '5'), leg('wrap', 'B', '2', null)],
    ['send 2 A 10', 'unvalued 2 B'],
  ],
  [
    'an unpriced coin of a transfer leaves it as it is',
    [leg('wrap', 'A', '-2', '5'), leg('wrap', 'B', '2', '5'), leg('transfer', 'C', '1', null)],
    ['carry A to B', 'unvalued 1 C'],
  ],
])('of a wrap, %s', (_, legs, expected) => {
  expect(postings(legs)).toEqual(expected)
})

test.each<[string, Leg[], string[]]>([
  ['only an arrival costs nothing', [leg('trade', 'A', '2', '5')], ['trade 2 A 0']],
  ['only a departure yields nothing', [leg('trade', 'A', '-2', '5')], ['trade 2 A 0']],
  ['only a departure of a stable coin yields nothing', [leg('trade', 'USDC', '-2', '1')], ['trade 2 USDC 0']],
  [
    'a side without a price makes the other a flow at market, and leaves a wrap beside it',
    [
      leg('trade', 'A', '-2', '5'),
      leg('trade', 'B', '1', null),
      leg('wrap', 'C', '-1', '1'),
      leg('wrap', 'D', '1', '1'),
    ],
    ['carry C to D', 'send 2 A 10', 'unvalued 1 B'],
  ],
  [
    'a fee adds to the cost of what stable coins alone pay for',
    [leg('trade', 'USDC', '-10', '1'), leg('trade', 'A', '2', '5'), leg('fee', 'E', '-1', '3')],
    ['trade 10 USDC 10', 'trade 2 A 13', 'tradefee 1 E 3'],
  ],
  [
    'a fee lowers the proceeds where another coin pays too',
    [
      leg('trade', 'USDC', '-5', '1'),
      leg('trade', 'B', '-1', '5'),
      leg('trade', 'A', '2', '5'),
      leg('fee', 'E', '-4', '1'),
    ],
    ['trade 5 USDC 3', 'trade 1 B 3', 'trade 2 A 10', 'tradefee 4 E 4'],
  ],
])('of a swap, %s', (_, legs, expected) => {
  expect(postings(legs)).toEqual(expected)
})

test('what was paid for a coin without a market price is less what is withheld of it, and absent for others', () => {
  const legs = [
    leg('trade', 'USDC', '-10', '1'),
    leg('trade', 'A', '10', '1', '10'),
    leg('fee', 'A', '-1', '1', '-1'),
  ]
  const paid = postingsOf({ txId: 'tx', atMs: 0, legs }, RULES).map((one) =>
    'paidUsd' in one ? text(one.paidUsd!) : null,
  )
  expect(paid).toEqual([null, '9'])
})

test('between own books a transfer is none but for its fee, and an opening still is', () => {
  const isInternal = () => true
  const legs = [
    leg('transfer', 'A', '-5', '2'),
    leg('opening', 'B', '1', '3'),
    leg('transfer', 'C', '-1', '2'),
  ]
  const feeOf = ({ coinId }: Leg) => (coinId === 'A' ? decimal('0.1') : ZERO)
  expect(postings(legs, { isInternal, feeOf })).toEqual(['receipt 1 B 3', 'fee 0.1 A 0'])
})

test('at one instant acquisitions come first, what has no value last, and equal kinds by content in any order', () => {
  const trade = { reason: 'trade', marketUsd: ZERO } as const
  const buy = (coinId: string, quantity: string, usd: string): Posting => {
    const numbers = { quantity: decimal(quantity), costUsd: decimal(usd) }
    return { kind: 'acquire', ...trade, coinId, ...numbers }
  }
  const sell = (coinId: string, quantity: string, usd: string): Posting => {
    const numbers = { quantity: decimal(quantity), proceedsUsd: decimal(usd) }
    return { kind: 'dispose', ...trade, coinId, ...numbers }
  }
  const inOrder: Posting[] = [
    buy('A', '1', '1'),
    buy('A', '1', '2'),
    buy('A', '2', '1'),
    buy('B', '1', '1'),
    { kind: 'carry', from: [], to: [] },
    sell('A', '1', '1'),
    sell('A', '1', '2'),
    sell('B', '1', '1'),
    { kind: 'unvalued', coinId: 'A', quantity: decimal('9') },
    { kind: 'unvalued', coinId: 'B', quantity: decimal('1') },
  ]
  const entries = inOrder.map((posting, index) => ({ txId: String(index), atMs: 0, postings: [posting] }))
  const sorted = (order: readonly (typeof entries)[number][]) =>
    acquisitionsFirst(order).map(({ txId }) => txId)
  const expected = entries.map(({ txId }) => txId)
  expect(sorted(entries)).toEqual(expected)
  expect(sorted(entries.toReversed())).toEqual(expected)
  expect(sorted([...entries.slice(4), ...entries.slice(0, 4).toReversed()])).toEqual(expected)
  // Those of the same content stay as they came.
  const alike = ['x', 'y', 'z'].map((txId) => ({ txId, atMs: 0, postings: [inOrder[0]!] }))
  expect(acquisitionsFirst(alike).map(({ txId }) => txId)).toEqual(['x', 'y', 'z'])
  // One alone keeps the order of its postings.
  const [one] = acquisitionsFirst([{ txId: 'one', atMs: 0, postings: inOrder.toReversed() }])
  expect(one!.postings).toEqual(inOrder.toReversed())
})
