import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticksOf } from '../../web/parts/time-chart.ts'

test.each([
  [0, 70_000, [0, 20_000, 40_000, 60_000, 80_000]],
  [0, 0.42, [0, 0.2, 0.4, 0.6]],
  [-3, 12, [-5, 0, 5, 10, 15]],
  [0, 0, [0, 0.5]],
])('ticks from %d to %d are round', (low, high, ticks) => {
  const found = ticksOf(low, high)
  expect(found.length).toBe(ticks.length)
  found.forEach((tick, n) => expect(tick).toBeCloseTo(ticks[n]!, 10))
})

test('ticks are few, rise and hold all values', () => {
  const value = fc.double({ min: -1e15, max: 1e15, noNaN: true })
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const span = high - low
      // No amount of a coin is smaller than 10^-18.
      fc.pre(span === 0 || span > Math.max(1e-18, Math.max(Math.abs(a), Math.abs(b)) * 1e-9))
      const ticks = ticksOf(low, high)
      expect(ticks.length).toBeLessThanOrEqual(7)
      expect(ticks[0]).toBeLessThanOrEqual(low + span * 1e-6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - span * 1e-6)
      ticks.slice(1).forEach((tick, n) => expect(tick).toBeGreaterThan(ticks[n]!))
    }),
  )
})
