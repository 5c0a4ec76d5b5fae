import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EndpointHealth as Health } from '../../db/events/record-attempts.ts'
import { healthAfter, isBackingOff, nextAttemptAt } from '../../activities/events/delivery-rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = new Date('2026-11-24T12:00:00Z')
const after = (ms: number) => new Date(at.getTime() + ms)
const msAfter = (instant: Date | null) => instant && instant.getTime() - at.getTime()

const ok = { status: 200, failure: null, retryAfterMs: null }
const answers = (status: number | null, retryAfterMs: number | null = null) => ({
  status,
  failure: status === null ? 'no connection' : `status ${status}`,
  retryAfterMs,
})
const fresh: Health = {
  state: 'active',
  reason: null,
  failures: 0,
  failingSince: null,
  nextProbeAt: null,
}

describe('an event that failed is tried again', () => {
  const next = (attempts: number, outcome = answers(500), random = 0.5) =>
    msAfter(nextAttemptAt({ attempts, outcome, at, random }))

  test('after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, ten times in all', () => {
    const pauses = Array.from({ length: 10 }, (_, i) => next(i + 1))
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR)
    expect(pauses).toEqual([5_000, 5 * MINUTE, 30 * MINUTE, ...hours, null])
  })

  test('up to a fifth earlier or later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, random) => {
          const [pause, middle] = [next(attempts, answers(500), random)!, next(attempts)!]
          expect(pause).toBeGreaterThanOrEqual(Math.floor(middle * 0.8))
          expect(pause).toBeLessThanOrEqual(Math.ceil(middle * 1.2))
        },
      ),
    )
  })

  test('case 41 not before a 429 or 503 asks for it, but other answers do not decide', () => {
    expect(next(1, answers(429, 120_000))).toBe(120_000)
    expect(next(1, answers(503, HOUR))).toBe(HOUR)
    expect(next(3, answers(429, 1_000))).toBe(30 * MINUTE)
    expect(next(1, answers(500, HOUR))).toBe(5_000)
  })
})

/** What follows from a list of outcomes, one every `everyMs`. */
const healthOf = (outcomes: Parameters<typeof healthAfter>[1][], everyMs = 1_000, from = fresh): Health =>
  outcomes.reduce((health, outcome, i) => healthAfter(health, outcome, after(i * everyMs)), from)

describe('an endpoint', () => {
  test('backs off after five failures in a row: one probe a minute', () => {
    expect(isBackingOff(healthOf(Array(4).fill(answers(500))))).toBe(false)
    const health = healthOf(Array(5).fill(answers(null)))
    expect(isBackingOff(health)).toBe(true)
    expect(health).toMatchObject({ state: 'backing_off', reason: '5 attempts in a row failed' })
    expect(health.nextProbeAt).toEqual(after(4_000 + MINUTE))
  })
  test('is active again after the first 2xx', () => {
    expect(healthOf([...Array(7).fill(answers(500)), ok])).toEqual(fresh)
  })
  test('case 41 that answers 429 or 503 gets nothing before the time that it names', () => {
    expect(msAfter(healthOf([answers(429, 30_000)]).nextProbeAt)).toBe(30_000)
    expect(msAfter(healthOf([answers(503, HOUR)]).nextProbeAt)).toBe(HOUR)
    expect(healthOf([answers(429)]).nextProbeAt).toBeNull()
  })
  test('case 41 that answers 410 is disabled at once, with the reason', () => {
    expect(healthOf([ok, answers(410)])).toMatchObject({
      state: 'disabled',
      reason: 'The receiver answered 410 Gone',
    })
  })
  test('is disabled after five days without success, and not before', () => {
    const failing = healthOf([ok, answers(500)])
    const [early, late] = [after(1_000 + 5 * DAY - 1), after(1_000 + 5 * DAY)]
    expect(healthAfter(failing, answers(500), early).state).toBe('active')
    expect(healthAfter({ ...failing, failures: 7_200 }, answers(500), early).state).toBe('backing_off')
    expect(healthAfter(failing, answers(500), late)).toMatchObject({
      state: 'disabled',
      reason: 'No event was delivered for 5 days',
    })
  })
  test('is proven by its first 2xx', () => {
    const unproven: Health = { ...fresh, state: 'new' }
    expect(healthOf(Array(9).fill(answers(302)), 1_000, unproven).state).toBe('new')
    expect(healthOf([answers(500), ok], 1_000, unproven)).toEqual(fresh)
  })
  test('that its owner paused, or that is disabled, stays so while late answers come in', () => {
    const outcome = fc.constantFrom(ok, answers(500), answers(410), answers(429, HOUR), answers(null))
    fc.assert(
      fc.property(
        fc.array(outcome),
        fc.constantFrom('paused' as const, 'disabled' as const),
        (list, state) => {
          expect(healthOf(list, 1_000, { ...fresh, state, reason: 'why' })).toMatchObject({
            state,
            reason: 'why',
          })
        },
      ),
    )
  })
  test('counts the failures since its last success, whatever came before', () => {
    const outcome = fc.constantFrom(ok, answers(500), answers(429, 5_000), answers(null), answers(302))
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), (list) => {
        const since = list.length - 1 - list.findLastIndex((one) => one === ok)
        const health = healthOf(list)
        expect(health.failures).toBe(since)
        expect(health.failingSince).toEqual(since === 0 ? null : after((list.length - since) * 1_000))
        if (since === 0) expect(health.nextProbeAt).toBeNull()
        if (since >= 5)
          expect(health.nextProbeAt!.getTime()).toBeGreaterThanOrEqual(
            after((list.length - 1) * 1_000 + MINUTE).getTime(),
          )
      }),
    )
  })
})
