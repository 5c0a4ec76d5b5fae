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
  incomeUsd: null,
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
  expect(warnings).toHaveLength(7)
  expect(notes.at(-1)).toContain('not tax advice')
})

test('says how much income the gains have again, at the rate of its receipt, and nothing by average', () => {
  const rateAt = (atMs: number) => decimal(atMs < day('2025-04-01').getTime() ? '0.9' : '0.8')
  const sold = disposal({ costUsd: decimal('0'), incomeUsd: decimal('250') })
  const fifo = reportOf([sold, disposal()], { currency: 'EUR', rateAt })
  expect(fifo.disposals.map(({ incomeWorth }) => incomeWorth && text(incomeWorth))).toEqual(['225', null])
  expect(text(fifo.incomeInGains!)).toBe('225')
  expect(fifo.warnings).toEqual([expect.stringContaining('225 EUR of income again')])
  const average = reportOf([disposal({ acquiredAt: null })], {
    method: 'average',
    country: 'de',
    income: [reward],
  })
  expect(average.incomeInGains).toBe(null)
  expect(average.warnings.at(-1)).toContain('unknown')
})

test('warnings count one in the singular', () => {
  const one = [disposal({ uncovered: true, acquiredAt: null })]
  expect(reportOf(one, { income: [reward] }).warnings).toEqual([
    '1 disposal is of coins that were never acquired: their cost is unknown and counts as 0.',
    expect.stringMatching(/^1 receipt is income\./),
  ])
  expect(reportOf([...one, ...one], { income: [reward, reward] }).warnings).toEqual([
    expect.stringMatching(/^2 disposals are of coins/),
    expect.stringMatching(/^2 receipts are income\./),
  ])
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
    'kind,coin,acquired,disposed,term,reason,quantity,proceeds_usd,cost_usd,gain_usd,fee_usd,income_usd,acquired_transaction,transaction',
    'disposal,ethereum,2025-01-01T12:00:00.000Z,2025-06-01T12:00:00.000Z,short,trade,1,1089,1001,88,11,,bought,sold',
    "disposal,ethereum,2025-01-01T12:00:00.000Z,2025-06-01T12:00:00.000Z,short,trade,1,1089,2000,-911,11,,bought,'=1+1",
    'income,ethereum,2025-03-01T00:00:00.000Z,,,reward,0.1,250,,,,250,reward,',
  ])
  expect(text(report.totals.all.gain)).toBe('-823')
})
