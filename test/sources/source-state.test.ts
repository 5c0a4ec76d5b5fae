import { expect, test } from 'vitest'
import type { SourceHealth } from '../../db/sources/read.ts'
import type { SourceSettings } from '../../db/sources/settings.ts'
import { quotaLeft, sourceState, stateInWords } from '../../db/sources/source-state.ts'

const now = new Date('2026-05-18T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const settings: SourceSettings = {
  name: 'wire',
  area: 'wires',
  missing: null,
  freshnessTargetSeconds: 900,
  requestsPerSecond: 2,
  burst: 10,
  quota: null,
  account: null,
}
const health: SourceHealth = {
  source: 'wire',
  lastSuccessAt: ago(60),
  lastFailureAt: null,
  lastFailure: null,
  consecutiveFailures: 0,
  nextRequestAt: null,
  requests24h: 9,
  failures24h: 0,
  requestsToday: 9,
  requestsThisMonth: 9,
  spentToday: 3,
  spentThisMonth: 9,
  requestsByHour: [],
  failuresByHour: [],
  quarantined: 0,
  dataAgeSeconds: null,
}
type Change = Partial<Omit<Parameters<typeof sourceState>[0], 'now'>>
const stateOf = (change: Change = {}) => sourceState({ settings, health, now, ...change })
const words = (change: Change = {}) => stateInWords({ ...settings, ...change.settings }, stateOf(change))

test('a source that an operator pauses is paused as long as it is on, whatever else it is', () => {
  expect([words(), words({ isHeld: true })]).toEqual(['on', 'paused by an operator'])
  const paused = { ...health, nextRequestAt: ago(-65) }
  expect(words({ health: paused, isHeld: true })).toBe('paused by an operator')
  expect(words({ health: paused })).toBe('paused for 60 s')
  const off = { ...settings, missing: 'WIRE_URL' }
  expect(words({ settings: off, isHeld: true, health: paused })).toBe('off: set WIRE_URL')
  expect(stateOf({ settings: off, isHeld: true, health: paused })).toMatchObject({
    isHeld: false,
    pauseSeconds: 0,
    budgetLeft: '',
  })
})

test('a pause is longer than two seconds beyond a whole burst', () => {
  const pause = (seconds: number) => stateOf({ health: { ...health, nextRequestAt: ago(-seconds) } }).state
  expect([pause(7), pause(7.5)]).toEqual(['on', 'paused'])
})

test('a source is late if it is on, was asked in vain or with old data, and its target is over', () => {
  const late = { ...health, lastSuccessAt: ago(901), lastFailureAt: ago(900) }
  const isLate = (change: Change) => stateOf(change).isLate
  expect([isLate({ health: late }), isLate({ health: { ...late, lastSuccessAt: ago(900.5) } })]).toEqual([
    true,
    true,
  ])
  expect(isLate({ health: { ...late, lastSuccessAt: ago(900), lastFailureAt: ago(1) } })).toBe(false)
  expect(isLate({ health: { ...late, lastFailureAt: ago(902) } })).toBe(false)
  expect(isLate({ health: { ...late, lastSuccessAt: null } })).toBe(false)
  expect(isLate({ health: late, settings: { ...settings, missing: 'WIRE_URL' } })).toBe(false)
  expect(isLate({ health: late, settings: { ...settings, freshnessTargetSeconds: null } })).toBe(false)
  expect(isLate({ health: undefined })).toBe(false)
  expect(isLate({ health: { ...health, dataAgeSeconds: 900 } })).toBe(false)
  expect(isLate({ health: { ...health, dataAgeSeconds: 901 } })).toBe(true)
  // A success that another clock states for later is of now.
  expect(stateOf({ health: { ...health, lastSuccessAt: ago(-5), dataAgeSeconds: 3 } }).lagSeconds).toBe(3)
})

test('a source that was not asked within a day does not fail', () => {
  expect(words({ health: { ...health, requests24h: 0 } })).toBe('on')
  expect(words({ health: { ...health, failures24h: 9 } })).toBe('failing')
})

test('a budget is that of the day or the month, never below nothing, and without limits none is known', () => {
  const [day, month] = (['day', 'month'] as const).map((per) => ({ units: 5, per, unit: 'credits' }))
  expect([quotaLeft(day!, health), quotaLeft(month!, health), quotaLeft(day!, undefined)]).toEqual([2, 0, 5])
  const left = (change: Partial<SourceSettings>, known: SourceHealth | undefined = health) =>
    stateOf({ settings: { ...settings, ...change }, health: known }).budgetLeft
  expect(left({ quota: day! })).toBe('2 of 5 credits this day')
  expect(left({ quota: { ...month!, unit: 'requests' } })).toBe('0 of 5 this month')
  expect(left({ burst: null })).toBe('no limit known')
  expect(left({ requestsPerSecond: null })).toBe('no limit known')
  expect(left({})).toBe('10 of 10 now, 2 a second')
  const busy = { ...health, nextRequestAt: ago(-65) }
  expect(stateOf({ settings: { ...settings, burst: null }, health: busy }).state).toBe('on')
  expect(stateOf({ settings: { ...settings, requestsPerSecond: null }, health: busy }).state).toBe('on')
})
