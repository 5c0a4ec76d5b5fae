import { expect, test } from 'vitest'
import { allowsHourly, cutPoints, rangeStart, startOfPeriod, DAY_MS } from '../../db/values/periods.ts'
import type { Interval, Range } from '../../db/values/periods.ts'
import cases from './cases/13-periods.json' with { type: 'json' }

const iso = (instantMs: number) => new Date(instantMs).toISOString()

for (const item of cases.cases.filter((entry) => entry.dates !== undefined)) {
  test(`${item.interval} periods of ${item.from} to ${item.to} end at the expected dates`, () => {
    const window = { fromMs: Date.parse(item.from!), toMs: Date.parse(item.to!) }
    expect(cutPoints({ interval: item.interval as Interval, ...window }).map(iso)).toEqual(item.dates)
  })
}

for (const item of cases.cases.filter((entry) => entry.interval === 'hourly')) {
  test(`47: hourly ${item.range ?? `${item.from} to ${item.to}`} is ${item.status === 400 ? 'refused' : 'served'}`, () => {
    const nowMs = Date.parse(item.now!)
    const fromMs = item.range ? rangeStart(item.range as Range, nowMs)! : Date.parse(item.from!)
    const toMs = item.to ? Date.parse(item.to) : nowMs
    expect(allowsHourly({ fromMs, toMs, nowMs })).toBe(item.status !== 400)
  })
}

for (const item of cases.cases.filter((entry) => entry.effectiveFrom !== undefined)) {
  test(`range ${item.range} at ${item.now} starts at ${item.effectiveFrom}`, () => {
    expect(iso(rangeStart(item.range as Range, Date.parse(item.now!))!)).toBe(item.effectiveFrom)
  })
}

test('48: an offset in `from` changes the instant, never the UTC cuts', () => {
  const fromMs = Date.parse('2024-03-31T00:00:00+02:00')
  expect(cutPoints({ interval: 'daily', fromMs, toMs: fromMs + DAY_MS }).map(iso)).toEqual([
    '2024-03-31T00:00:00.000Z',
    '2024-03-31T22:00:00.000Z',
  ])
})

test('49: the ISO week of 2020-12-28 ends at 2021-01-04', () => {
  expect(iso(startOfPeriod('weekly', Date.parse('2021-01-03T23:59:59.999Z')))).toBe(
    '2020-12-28T00:00:00.000Z',
  )
  const fromMs = Date.parse('2020-12-28')
  expect(iso(cutPoints({ interval: 'weekly', fromMs, toMs: fromMs + 8 * DAY_MS })[0]!)).toBe(
    '2021-01-04T00:00:00.000Z',
  )
})

test('an empty window has no periods', () => {
  expect(cutPoints({ interval: 'daily', fromMs: 5, toMs: 5 })).toEqual([])
})

test('ranges of days are exact, ranges of months are calendar months, `all` has no start', () => {
  const nowMs = Date.parse('2024-12-31T06:00:00Z')
  const starts = (['24h', '1w', '3m', '6m', '1y'] as const).map((range) =>
    iso(rangeStart(range, nowMs)!).slice(0, 10),
  )
  expect(starts).toEqual(['2024-12-30', '2024-12-24', '2024-09-30', '2024-06-30', '2023-12-31'])
  expect(rangeStart('all', nowMs)).toBeNull()
})
