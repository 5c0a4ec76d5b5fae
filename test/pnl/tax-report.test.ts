import { expect, test } from 'vitest'
import { COUNTRIES, COUNTRY_IDS } from '../../db/pnl/tax/countries.ts'
import { reportCsv } from '../../db/pnl/tax/report-csv.ts'
import { type TaxDisposal, type TaxIncome, taxReport } from '../../db/pnl/tax/tax-report.ts'
import { decimal, formatDecimal as text } from '../../db/values/decimal.ts'

const disposal = (own: Partial<TaxDisposal> = {}): TaxDisposal => ({
  coinId: 'ethereum',
  disposedAt: new Date('2025-06-01T12:00:00Z'),
  acquiredAt: new Date('2025-01-01T12:00:00Z'),
  reason: 'trade',
  quantity: decimal('1'),
  proceedsUsd: decimal('1089'),
  costUsd: decimal('1001'),
  feeUsd: decimal('11'),
  uncovered: false,
  bookId: '1',
  txId: 'sold',
  acquiredBookId: '1',
  acquiredTxId: 'bought',
  isOwnTransfer: false,
  ...own,
})
const reward: TaxIncome = {
  coinId: 'ethereum',
  acquiredAt: new Date('2025-03-01T00:00:00Z'),
  role: 'reward',
  quantity: decimal('0.1'),
  worthUsd: decimal('250'),
  bookId: '1',
  txId: 'reward',
}
const INPUT = {
  country: 'us',
  year: 2025,
  currency: 'USD',
  method: 'fifo',
  income: [],
  rateAt: null,
} as const
const reportOf = (disposals: TaxDisposal[], more: Partial<Parameters<typeof taxReport>[0]> = {}) =>
  taxReport({ ...INPUT, disposals, ...more })
const day = (date: string) => new Date(`${date}T00:00:00Z`)

test.each([
  ['2024-01-15', '2025-01-15', 'short', 'the anniversary itself'],
  ['2024-01-15', '2025-01-16', 'long', 'the day after'],
  // 366 days, but not more than a year.
  ['2024-02-01', '2025-02-01', 'short', 'a year with a leap day'],
  ['2024-02-29', '2025-02-28', 'short', 'the last of February'],
  ['2024-02-29', '2025-03-01', 'long', 'the day after the last of February'],
  ['2023-02-28', '2024-02-29', 'long', 'a leap day after'],
] as const)('a lot of %s sold on %s is %s-term: %s', (acquired, disposed, term, _why) => {
  const [one] = reportOf([disposal({ acquiredAt: day(acquired), disposedAt: day(disposed) })]).disposals
  expect(one!.term).toBe(term)
  // The time of day changes nothing.
  const late = new Date(`${disposed}T23:59:59Z`)
  expect(reportOf([disposal({ acquiredAt: day(acquired), disposedAt: late })]).disposals[0]!.term).toBe(term)
})

test('totals by term add up to all, and lots without a date are neither short nor long', () => {
  const { totals } = reportOf([
    disposal(),
    disposal({ acquiredAt: day('2020-01-01'), proceedsUsd: decimal('500.5'), costUsd: decimal('600') }),
    disposal({ acquiredAt: null, uncovered: true, costUsd: decimal('0'), proceedsUsd: decimal('7') }),
  ])
  const gains = Object.entries(totals).map(([term, { disposals, gain }]) => [term, disposals, text(gain)])
  expect(gains).toEqual([
    ['short', 1, '88'],
    ['long', 1, '-99.5'],
    ['unknown', 1, '7'],
    ['all', 3, '-4.5'],
  ])
})

test('proceeds convert at the disposal and cost at the acquisition', () => {
  const rateAt = (atMs: number) => decimal(atMs < day('2025-04-01').getTime() ? '0.9' : '0.8')
  const [one] = reportOf([disposal()], { currency: 'EUR', rateAt }).disposals
  expect([one!.proceeds, one!.cost, one!.gain, one!.fee].map(text)).toEqual([
    '871.2',
    '900.9',
    '-29.7',
    '8.8',
  ])
})

test('warnings say what may be counted twice or is unknown, and nothing without a reason', () => {
  expect(reportOf([disposal()]).warnings).toEqual([])
  const { warnings, notes } = reportOf(
    [
      disposal({ uncovered: true, acquiredAt: null }),
      disposal({ acquiredAt: null }),
      disposal({ reason: 'send' }),
      disposal({ reason: 'send', isOwnTransfer: true }),
    ],
    { method: 'average', income: [reward] },
  )
  for (const words of [
    'average',
    'never acquired',
    'no date',
    'other portfolios',
    'sent away',
    'do not add both',
  ])
    expect(warnings.filter((one) => one.includes(words)).length, words).toBeGreaterThan(0)
  expect(warnings).toHaveLength(6)
  expect(notes.at(-1)).toContain('not tax advice')
})

test('a country that pools shares is refused, and every other one has a method and a note', () => {
  expect(() => reportOf([], { country: 'uk' })).toThrow('Shares are pooled')
  for (const id of COUNTRY_IDS.filter((one) => one !== 'uk')) {
    expect(COUNTRIES[id].methods.length, id).toBeGreaterThan(0)
    expect(COUNTRIES[id].notes.length, id).toBeGreaterThan(0)
  }
})

test('CSV has a line for each lot and receipt, and its gains add up to the total', () => {
  const report = reportOf([disposal(), disposal({ txId: '=1+1', costUsd: decimal('2000') })], {
    income: [reward],
  })
  const lines = reportCsv(report).trimEnd().split('\r\n')
  expect(lines).toEqual([
    'kind,coin,acquired,disposed,term,reason,quantity,proceeds_usd,cost_usd,gain_usd,fee_usd,acquired_transaction,transaction',
    'disposal,ethereum,2025-01-01T12:00:00.000Z,2025-06-01T12:00:00.000Z,short,trade,1,1089,1001,88,11,bought,sold',
    "disposal,ethereum,2025-01-01T12:00:00.000Z,2025-06-01T12:00:00.000Z,short,trade,1,1089,2000,-911,11,bought,'=1+1",
    'income,ethereum,2025-03-01T00:00:00.000Z,,,reward,0.1,250,,,,reward,',
  ])
  expect(text(report.totals.all.gain)).toBe('-823')
})
