import { describe, expect, test } from 'vitest'
import { unitsToday } from '../../activities/allowance.ts'

const on = (at: string, spent: { day: number; month: number }) =>
  unitsToday({ units: 3_000, per: 'month' }, { spent, now: new Date(at) })

describe('units that may be spent today', () => {
  test('of a day: the same each day', () => {
    const spent = { day: 900, month: 5_000 }
    expect(unitsToday({ units: 100, per: 'day' }, { spent, now: new Date('2026-11-26T12:00:00Z') })).toBe(100)
  })

  test('of a month: what is left of it, spread over its remaining days', () => {
    expect(on('2026-11-01T00:00:00Z', { day: 0, month: 0 })).toBe(100)
    // What was spent today takes nothing from today's part.
    expect(on('2026-11-01T23:59:59Z', { day: 90, month: 90 })).toBe(100)
    expect(on('2026-11-02T00:00:00Z', { day: 0, month: 100 })).toBe(100)
    expect(on('2026-11-21T00:00:00Z', { day: 50, month: 1_050 })).toBe(200)
    expect(on('2026-11-30T00:00:00Z', { day: 0, month: 2_500 })).toBe(500)
    expect(on('2026-11-30T00:00:00Z', { day: 0, month: 3_500 })).toBe(0)
    expect(on('2024-02-29T00:00:00Z', { day: 0, month: 0 })).toBe(3_000)
  })
})
