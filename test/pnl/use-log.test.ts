import { expect, test } from 'vitest'
import type { LotUse } from '../../db/pnl/lots/fold-lots.ts'
import { createUseLog } from '../../db/pnl/lots/lot-uses.ts'
import type { Posting } from '../../db/pnl/lots/posting.ts'
import { decimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

const FROM_MS = Date.parse('2024-01-01')
const one = decimal('1')
const posting = { kind: 'acquire', reason: 'receipt', coinId: 'coin', quantity: one, costUsd: one } as const
const use = {
  kind: 'acquire' as const,
  coinId: 'coin',
  reason: 'receipt' as const,
  quantity: one,
  amount: one,
  cost: one,
  lots: [],
  missing: decimal('0'),
}

test('the log asks to be stored when it is long, but never in the middle of a day', () => {
  const log = createUseLog('average')
  const note = (atMs: number) => {
    log.begin({ bookId: '1', txId: 'tx' })
    log.note(use, { posting: { ...posting, marketUsd: one }, atMs, seq: 0 })
  }
  const taken = []
  // Three days of 3,000 each, then a short one.
  for (let i = 0; i < 9_100; i++) {
    const atMs = FROM_MS + Math.floor(i / 3_000) * DAY_MS + (i % 3_000)
    if (log.isFull(atMs)) taken.push(log.take())
    note(atMs)
  }
  taken.push(log.take())
  expect(taken.map((days) => days.map(({ acquired }) => acquired.length))).toEqual([
    [3_000, 3_000],
    [3_000, 100],
  ])
})

/** What a log keeps of one use. */
function noted(method: 'average' | 'fifo', use: LotUse, posting: Posting, bookId: string | null = '7') {
  const log = createUseLog(method)
  log.begin({ bookId, txId: 'tx' })
  log.note(use, { posting, atMs: FROM_MS, seq: 3 })
  const [day] = log.take()
  return { acquired: day?.acquired, disposed: day?.disposed }
}

test.each<[string, Partial<Posting>, string | null, unknown[]]>([
  ['what it cost', { marketUsd: one }, '7', ['7', 'tx', '1', '1', '1']],
  ['its worth without fees', { marketUsd: decimal('0.9') }, '7', ['7', 'tx', '1', '1', '0.9']],
  ['no worth of a fee that came back', { marketUsd: null }, '7', ['7', 'tx', '1', '1', null]],
  [
    'the role and the worth of income',
    { marketUsd: null, income: { role: 'reward', worthUsd: decimal('5') } },
    '7',
    ['7', 'tx', '1', '1', '5', 'reward'],
  ],
  ['neither book nor transaction of a first price', { marketUsd: one }, null, [null, null, '1', '1', '1']],
])('an acquisition is kept with %s', (_, changed, bookId, expected) => {
  const { acquired, disposed } = noted('fifo', use, { ...posting, ...changed } as Posting, bookId)
  expect(acquired).toEqual([['coin', FROM_MS, 3, 'receipt', ...expected]])
  expect(disposed).toEqual([])
})

test('carried lots are not noted, because they keep their acquisition', () => {
  const carry: Posting = { kind: 'carry', from: [], to: [] }
  const carried = { ...use, reason: null }
  expect(noted('fifo', { ...carried, kind: 'carry out' }, carry)).toEqual({})
  expect(noted('fifo', { ...carried, kind: 'carry in' }, carry)).toEqual({})
})

const lot = (atMs: number, quantity: string) => ({
  atMs,
  seq: 1,
  quantity: decimal(quantity),
  cost: decimal('4'),
})

test.each<
  [
    string,
    { method?: 'average' | 'fifo'; missing?: string; held?: string[]; market?: string | null },
    unknown[],
  ]
>([
  [
    'the lots that it takes',
    { held: ['1', '3'] },
    [
      [0, 1, '1', '2.5', '4'],
      [1, 1, '3', '7.5', '4'],
    ],
  ],
  ['no date where all lots are one', { method: 'average', held: ['4'] }, [[null, null, '4', '10', '4']]],
  [
    'what was never acquired, without a cost',
    { held: ['1'], missing: '3' },
    [
      [0, 1, '1', '2.5', '4'],
      [null, null, '3', '7.5', null],
    ],
  ],
  ['what was never acquired alone', { missing: '4' }, [[null, null, '4', '10', null]]],
  [
    'its fee by lot',
    { held: ['1', '3'], market: '12' },
    [
      [0, 1, '1', '2.5', '4', '0.5'],
      [1, 1, '3', '7.5', '4', '1.5'],
    ],
  ],
  ['no fee where it is a fee itself', { held: ['4'], market: null }, [[0, 1, '4', '10', '4']]],
])(
  'a disposal is kept with %s',
  (_, { method = 'fifo', missing = '0', held = [], market = '10' }, expected) => {
    const amount = decimal('10')
    const lots = held.map((quantity, index) => lot(index, quantity))
    const gone: LotUse = { ...use, kind: 'dispose', reason: 'send', amount, lots, missing: decimal(missing) }
    const marketUsd = market === null ? null : decimal(market)
    const { acquired, disposed } = noted(method, gone, {
      kind: 'dispose',
      reason: 'send',
      coinId: 'coin',
      quantity: decimal('4'),
      proceedsUsd: amount,
      marketUsd,
    })
    expect(acquired).toEqual([])
    expect(disposed).toEqual([['coin', FROM_MS, 3, 'send', '7', 'tx', expected]])
  },
)
