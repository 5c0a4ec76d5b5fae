import { afterAll, beforeEach, expect, test } from 'vitest'
import { backfillTotals } from '../../activities/insights/backfill-totals.ts'
import { createInsightSources } from '../../activities/insights/insight-sources.ts'
import { refreshFearGreed } from '../../activities/insights/refresh-fear-greed.ts'
import { createAlternativeMe } from '../../activities/insights/sources/alternative-me.ts'
import { createHttpClient } from '../../activities/http.ts'
import { openReadonlyDb } from '../../db/connect.ts'
import { readFearGreed } from '../../db/insights/read-fear-greed.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startReplay } from '../setup/replay.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

const database = await testDatabase()
const { deps, faults, clock } = await startSandboxWorld(database)
const sources = createInsightSources(deps)
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(api.close)

const rows = (sql: string) => query<Record<string, unknown>>(database.ownerUrl, sql)
const count = async (from: string) => Number((await rows(`select count(*) as n from ${from}`))[0]!['n'])
/** Row versions: rewriting a row changes its xmin even if the values stay the same. */
const versions = () => rows('select xmin::text, ctid::text from fear_greed order by ctid')

beforeEach(async () => {
  faults.clear()
  await rows('truncate fear_greed, quarantine')
})

test('the first refresh reads the whole index, a second one changes no row', async () => {
  const result = await refreshFearGreed(deps, sources)
  const today = Math.floor(clock.nowMs / DAY_MS)
  const firstDay = Date.UTC(2018, 1, 1) / DAY_MS
  // The publisher left out three days.
  expect(result).toEqual({ source: 'alternative-me', changed: today - firstDay + 1 - 3, quarantined: 0 })
  const before = await versions()
  expect(await refreshFearGreed(deps, sources)).toMatchObject({ changed: 0 })
  expect(await versions()).toEqual(before)
})

test('updates values that were corrected within a week and adds missed days', async () => {
  await refreshFearGreed(deps, sources)
  await rows(`delete from fear_greed where at > (select max(at) - interval '20 days' from fear_greed)`)
  await rows(`update fear_greed set value = 101 - value where at = (select max(at) from fear_greed)`)
  expect(await refreshFearGreed(deps, sources)).toMatchObject({ changed: 21 })
})

test('asks for all days at first, later for those since the newest and a week before it, and afresh for all', async () => {
  const asked: (number | null)[] = []
  const index = {
    name: 'alternative-me',
    async history({ days }: { days: number | null }) {
      asked.push(days)
      return { days: [{ at: new Date('2026-06-08T00:00:00Z'), value: 40 }], quarantined: [] }
    },
  }
  const at = { ...deps, now: () => new Date('2026-06-10T12:00:00Z') }
  for (const input of [undefined, undefined, { afresh: false }, { afresh: true }])
    await refreshFearGreed(at, { ...sources, indexes: [index] }, input)
  expect(asked).toEqual([null, 10, 10, null])
})

test('fails where no publisher is on, and when the only one has no valid day', async () => {
  await expect(refreshFearGreed(deps, { ...sources, indexes: [] })).rejects.toThrow(
    'all sources of the index',
  )
  const empty = { name: 'coinmarketcap', history: async () => ({ days: [], quarantined: [] }) }
  await expect(refreshFearGreed(deps, { ...sources, indexes: [empty] })).rejects.toMatchObject({
    name: 'SourceRejected',
    source: 'coinmarketcap',
  })
})

test('stores and reads a separate series of the other publisher while the default fails', async () => {
  await refreshFearGreed(deps, sources)
  clock.nowMs += DAY_MS
  const common = { source: 'alternative-me', kind: 'error', count: 100 } as const
  faults.add({ ...common })
  const standIn = await refreshFearGreed(deps, sources)
  expect(standIn.source).toBe('coinmarketcap')
  // More than one page.
  expect(standIn.changed).toBeGreaterThan(1_000)
  expect(await count(`fear_greed where source = 'coinmarketcap'`)).toBe(standIn.changed)
  // It has the newest day, so only this series is read.
  expect(await readFearGreed(api.db, { lastDays: null })).toHaveLength(standIn.changed)
  faults.clear()
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
  await refreshFearGreed(deps, sources)
  expect((await readFearGreed(api.db, { lastDays: null }))[0]!.at).toEqual(new Date('2018-02-01T00:00:00Z'))
})

test('when both fail, throws the failure of the default and changes nothing', async () => {
  await refreshFearGreed(deps, sources)
  const before = await versions()
  faults.add({ source: 'alternative-me', kind: 'malformed', count: 3 })
  faults.add({ source: 'coinmarketcap', kind: 'lie', lie: 'negative', count: 100 })
  await expect(refreshFearGreed(deps, sources)).rejects.toThrow(/alternative-me: no JSON/)
  expect(await versions()).toEqual(before)
  const reasons = await rows('select distinct source, area from quarantine')
  expect(reasons).toEqual([{ source: 'coinmarketcap', area: 'insights' }])
})

test('quarantines bad rows and stores good ones; throws for an error in the body', async () => {
  const answer = (data: unknown[], error: string | null = null) =>
    JSON.stringify({ name: 'Fear and Greed Index', data, metadata: { error } })
  const row = (value: unknown, timestamp: unknown) => ({ value, value_classification: 'Fear', timestamp })
  const fixture = (path: string, text: string) => ({
    source: 'alternative-me',
    method: 'GET' as const,
    path,
    status: 200,
    contentType: 'application/json',
    text,
  })
  const good = [row('40', '1551139200'), row('41', '1551052800')]
  const bad = [row('n/a', '1550966400'), row('40', ''), null]
  const replay = await startReplay([
    fixture('/fng/?limit=0', answer([...good, ...bad])),
    fixture('/fng/?limit=1', answer([], 'Internal problem')),
  ])
  const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  const http = createHttpClient({
    gate,
    sources: { 'alternative-me': { url: replay.url } },
    random: () => 0,
  })
  const index = createAlternativeMe({ http, url: replay.url })
  const result = await refreshFearGreed(deps, { ...sources, indexes: [index] })
  expect(result).toEqual({ source: 'alternative-me', changed: 2, quarantined: 3 })
  expect(await rows('select reason, payload from quarantine order by id')).toMatchObject([
    { reason: expect.stringMatching(/^value: not a whole number/), payload: bad[0] },
    { reason: expect.stringMatching(/^timestamp: /), payload: bad[1] },
    { payload: null },
  ])
  await expect(index.history({ days: 1 })).rejects.toMatchObject({
    name: 'SourceRejected',
    message: 'alternative-me: Internal problem',
  })
  await http.close()
  replay.close()
})

test('adds past totals once: daily for two years, hourly for the last day', async () => {
  const added = await backfillTotals(deps, sources)
  expect(added).toBeGreaterThan(730 + 20)
  expect(added).toBe(await count('market_totals'))
  const [span] = await rows(
    `select min(btc_dominance) > 5 and max(btc_dominance) < 90 as plausible, max(at) - min(at) > interval '729 days' as long
     from market_totals`,
  )
  expect(span).toEqual({ plausible: true, long: true })
  // The last point of the chart is the present, at another second each time; all others are stored.
  expect(await backfillTotals(deps, sources)).toBeLessThanOrEqual(2)
})

test('adds nothing when the plan has no past totals', async () => {
  faults.add({ source: 'coingecko', kind: 'history_limit', match: 'market_cap_chart', count: 1 })
  expect(await backfillTotals(deps, sources)).toBe(0)
})
