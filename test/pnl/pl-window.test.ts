import { expect, test } from 'vitest'
import { closingPriceAge } from '../../api/pnl/pl-history.ts'
import { firstCutMs, plWindow } from '../../api/pnl/pl-window.ts'
import type { PlPeriod } from '../../db/pnl/periods/read-periods.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'

const NOW_MS = Date.parse('2024-03-10T12:30:00Z')

type Query = Parameters<typeof plWindow>[0]

/** Start and end in ms from now, or the parameter that is refused. */
function windowOf(query: {
  interval?: Query['interval']
  range?: Query['range']
  fromMs?: number
  toMs?: number
}) {
  const { interval = 'daily', fromMs, toMs, range } = query
  const at = (ms: number | undefined) => (ms === undefined ? undefined : new Date(NOW_MS + ms))
  try {
    const window = plWindow({ interval, range, from: at(fromMs), to: at(toMs), currency: 'USD' }, NOW_MS)
    const since = (ms: number | null) => (ms === null ? null : ms - NOW_MS)
    return { range: window.range, from: since(window.fromMs), to: since(window.toMs) }
  } catch (error) {
    return String((error as Error).message)
  }
}

test('a range ends now, and is sent alone', () => {
  expect(windowOf({ range: '24h' })).toEqual({ range: '24h', from: -DAY_MS, to: 0 })
  expect(windowOf({ range: 'all' })).toEqual({ range: 'all', from: null, to: 0 })
  for (const more of [{ fromMs: -1 }, { toMs: -1 }, { fromMs: -2, toMs: -1 }])
    expect(windowOf({ range: '24h', ...more })).toContain('range')
  expect(windowOf({})).toContain('range')
  expect(windowOf({ fromMs: -1 })).toContain('to')
  expect(windowOf({ toMs: -1 })).toContain('from')
})

test('a window has a length, starts before now, and ends now at the latest', () => {
  expect(windowOf({ fromMs: -2, toMs: -1 })).toEqual({ range: null, from: -2, to: -1 })
  expect(windowOf({ fromMs: -1, toMs: 0 })).toEqual({ range: null, from: -1, to: 0 })
  expect(windowOf({ fromMs: -1, toMs: DAY_MS })).toEqual({ range: null, from: -1, to: 0 })
  expect(windowOf({ fromMs: -1, toMs: -1 })).toContain('to')
  expect(windowOf({ fromMs: 0, toMs: 1 })).toContain('from')
})

test('hours are given of the latest day, all of it and no more', () => {
  const interval = 'hourly'
  expect(windowOf({ interval, range: '24h' })).toMatchObject({ from: -DAY_MS })
  expect(windowOf({ interval, range: '1w' })).toContain('interval')
  expect(windowOf({ interval, fromMs: -DAY_MS, toMs: 0 })).toMatchObject({ from: -DAY_MS, to: 0 })
  expect(windowOf({ interval, fromMs: -DAY_MS, toMs: -HOUR_MS })).toMatchObject({ to: -HOUR_MS })
  expect(windowOf({ interval, fromMs: -DAY_MS - 1, toMs: -HOUR_MS })).toContain('interval')
  expect(windowOf({ interval, fromMs: -DAY_MS - 1, toMs: 0 })).toContain('interval')
  expect(windowOf({ interval, fromMs: -HOUR_MS, toMs: 1 })).toContain('interval')
  expect(windowOf({ fromMs: -30 * DAY_MS, toMs: 1 })).toMatchObject({ from: -30 * DAY_MS })
})

test('periods are cut from the first chain on, and without a start from the first transaction on', () => {
  expect(firstCutMs(null)).toBeNull()
  expect(firstCutMs(0)).toBe(Date.parse('2009-01-01'))
  expect(firstCutMs(NOW_MS)).toBe(NOW_MS)
})

test('the age of a price is that of the last period', () => {
  const period = (pricedAtMs: number | null) => ({ pricedAtMs }) as PlPeriod
  expect(closingPriceAge([])).toBeNull()
  expect(closingPriceAge([period(1), period(null)])).toBeNull()
  expect(closingPriceAge([period(null), period(5), period(7)])).toEqual(new Date(7))
})
