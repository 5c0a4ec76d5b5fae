import { expect, test } from 'vitest'
import { createUseLog } from '../../db/pnl/lots/lot-uses.ts'
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
