import { expect, test } from 'vitest'
import type { AreaSpec, SourceSpec } from '../../activities/area.ts'
import { sourceSettings } from '../../activities/source-settings.ts'
import { sourceLine } from '../../cli/source-line.ts'
import type { SourceHealth } from '../../db/sources/read.ts'

const now = new Date('2026-05-18T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const spec: SourceSpec = {
  name: 'wire',
  meaning: 'News of the wire',
  without: 'No news',
  urlVariable: 'WIRE_URL',
  defaultUrl: 'https://wire.example',
  key: { variable: 'WIRE_KEY', gives: 'News', from: 'https://wire.example/keys', isRequired: true },
  requestsPerSecond: 2,
  burst: 10,
}
const area: AreaSpec = {
  name: 'wires',
  sources: [spec],
  schedules: [],
  tables: [],
  freshnessTargetSeconds: 1800,
}
const health: SourceHealth = {
  source: 'wire',
  lastSuccessAt: ago(90),
  lastFailureAt: ago(5_000),
  lastFailure: 'wire: status 500',
  consecutiveFailures: 0,
  nextRequestAt: null,
  requests24h: 200,
  failures24h: 3,
  requestsToday: 120,
  requestsThisMonth: 900,
  spentToday: 120,
  spentThisMonth: 900,
  quarantined: 7,
  dataAgeSeconds: null,
  requestsByHour: [],
  failuresByHour: [],
}
const env = { SOURCES: 'live', WIRE_KEY: 'k' }
interface Change {
  spec?: SourceSpec
  env?: Record<string, string>
  health?: SourceHealth | undefined
}
const line = (change: Change = {}) => {
  const facts = { spec, env, health, ...change }
  return sourceLine({ ...facts, settings: sourceSettings(area, facts.spec, facts.env), now })
}

test('shows lag, target, errors and quarantined rows of a source that is on', () => {
  expect(line()).toEqual({
    source: 'wire',
    area: 'wires',
    state: 'on',
    'last success': '2026-05-18T11:58:30.000Z',
    lag: '90 s',
    target: '30 min',
    'errors 24 h': '3 of 200 (1.5 %)',
    'last failure': 'wire: status 500',
    quarantined: 7,
    'budget left': '10 of 10 now, 2 a second',
  })
})

test('names the variable that turns a source on; a source without requests has no lag and no errors', () => {
  expect(line({ env: {}, health: undefined })).toMatchObject({
    state: 'off: set WIRE_KEY',
    'last success': 'never',
    lag: '',
    'errors 24 h': '',
    quarantined: 0,
    'budget left': '',
  })
  const old = { ...health, lastSuccessAt: ago(9_000) }
  expect(line({ env: {}, health: old })).toMatchObject({ lag: '2.5 h' })
  expect(line({ health: { ...health, requests24h: 0, failures24h: 0 } })).toMatchObject({ 'errors 24 h': '' })
})

test.each([
  [1_800, undefined, '30 min'],
  [1_801, undefined, '30 min LATE'],
  [9_000, undefined, '2.5 h LATE'],
  [9_000, 18_000, '2.5 h'],
  [432_000, 18_000, '5 d LATE'],
])(
  '%i s after the last success, with its own target %s and a failure since then, the lag is %s',
  (seconds, own, lag) => {
    const own_ = own === undefined ? spec : { ...spec, freshnessTargetSeconds: own }
    expect(
      line({ spec: own_, health: { ...health, lastSuccessAt: ago(seconds), lastFailureAt: ago(5) } }),
    ).toMatchObject({ lag })
  },
)

test('a source that nobody needed for a while is not late, one that answers with old data is', () => {
  const idle = { ...health, lastSuccessAt: ago(4_000) }
  expect(line({ health: idle })).toMatchObject({ lag: '67 min' })
  expect(line({ health: { ...idle, dataAgeSeconds: 1_800 } })).toMatchObject({ lag: '97 min' })
  expect(line({ health: { ...health, dataAgeSeconds: 9_000 } })).toMatchObject({ lag: '2.5 h LATE' })
})

test('shows how long a source is paused on request or after failures', () => {
  // A burst of 10 requests at 2 per second may be ahead without a pause.
  expect(line({ health: { ...health, nextRequestAt: ago(-5) } })).toMatchObject({
    state: 'on',
    'budget left': '0 of 10 now, 2 a second',
  })
  expect(line({ health: { ...health, nextRequestAt: ago(-65) } })).toMatchObject({ state: 'paused for 60 s' })
  expect(line({ health: { ...health, nextRequestAt: ago(-2) } })).toMatchObject({
    'budget left': '6 of 10 now, 2 a second',
  })
})

test('a source that only fails is not on', () => {
  const failing = { ...health, requests24h: 12, failures24h: 12, lastSuccessAt: null }
  expect(line({ health: failing })).toMatchObject({ state: 'failing', 'errors 24 h': '12 of 12 (100.0 %)' })
  expect(line({ health: { ...failing, failures24h: 11 } })).toMatchObject({ state: 'on' })
  expect(line({ health: { ...failing, nextRequestAt: ago(-65) } })).toMatchObject({
    state: 'paused for 60 s',
  })
})

test('shows the budget of the free plan if there is one and the URL is the default', () => {
  const monthly = { ...spec, quota: { requests: 1_000, per: 'month' } } as const
  expect(line({ spec: monthly })).toMatchObject({ 'budget left': '100 of 1000 this month' })
  const daily = { ...spec, quota: { requests: 100, per: 'day' } } as const
  expect(line({ spec: daily })).toMatchObject({ 'budget left': '0 of 100 this day' })
  const own = { ...env, WIRE_URL: 'http://127.0.0.1:1' }
  expect(line({ spec: daily, env: own })).toMatchObject({ 'budget left': '10 of 10 now, 2 a second' })
})
