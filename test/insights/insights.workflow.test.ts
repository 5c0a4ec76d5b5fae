import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInsightsActivities } from '../../activities/insights/index.ts'
import { createRetryActivities } from '../../activities/retry-quarantined.ts'
import { getBtcDominance } from '../../api/insights/get-btc-dominance.ts'
import { getFearAndGreedChart } from '../../api/insights/get-fear-and-greed-chart.ts'
import { openReadonlyDb } from '../../db/connect.ts'
import { retryQuarantined } from '../../db/console/operator.ts'
import type { backfillTotals } from '../../workflows/insights/backfill-totals.ts'
import type { refreshInsights } from '../../workflows/insights/refresh-insights.ts'
import { createAlternativeMe } from '../../sandbox/insights/alternative-me.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'

const database = await testDatabase()
const index = createAlternativeMe({ seed: 7 })
/** Whether one day of the index has an invalid value. */
let isSpoiled = false
const { deps, faults } = await startSandboxWorld(database, {
  mounts: [
    {
      base: '/alternative-me',
      upstream: async (request) => {
        const reply = await index(request)
        const { data } = reply.body as { data: { value: string }[] }
        if (isSpoiled && data[2_000]) data[2_000] = { ...data[2_000]!, value: 'n/a' }
        return reply
      },
    },
  ],
})
const api = await startApi({ database, routes: [getBtcDominance, getFearAndGreedChart] })
const { key } = await api.newAccount()
const operators = openReadonlyDb({ url: database.consoleUrl, maxConnections: 1, applicationName: 'test' })
let worker: Awaited<ReturnType<typeof startDispatchingWorker>>

beforeAll(async () => {
  const activities = { ...createInsightsActivities(deps), ...createRetryActivities(deps) }
  worker = await startDispatchingWorker({ taskQueue: 'insights-test', activities, deps })
})
afterAll(() => Promise.all([worker.stop(), operators.close()]))

test('sandbox data reaches the endpoints through the workflows, which wait for a rate-limited source', async () => {
  faults.add({ source: 'alternative-me', kind: 'rate_limit', count: 1 })
  faults.add({ source: 'coingecko', kind: 'error', match: 'market_cap_chart', count: 1 })
  const changed = await worker.run<typeof refreshInsights>('refreshInsights')
  expect(changed).toBeGreaterThan(3_000)
  expect(await worker.run<typeof refreshInsights>('refreshInsights')).toBe(0)
  expect(await worker.run<typeof backfillTotals>('backfillTotals')).toBeGreaterThan(700)

  const chart = endpoint(api, { route: getFearAndGreedChart, key })
  expect((await chart('/insights/fear-and-greed/chart')).body.data).toHaveLength(changed)
  const dominance = endpoint(api, { route: getBtcDominance, key })
  expect((await dominance('/insights/btc-dominance?type=all')).body.data.length).toBeGreaterThan(700)
  expect((await dominance('/insights/btc-dominance?type=24h')).body.data.length).toBeGreaterThan(20)
})

test('a quarantined row that an operator retries leaves quarantine only once it passes', async () => {
  const rows = () =>
    api.owner.selectFrom('quarantine').select(['id', 'activity', 'retry_state', 'retry_failure']).execute()
  /** Retries a row as the console does, and returns the quarantined rows when the retry has ended. */
  async function retry(id: string) {
    expect(await retryQuarantined(operators.db, { id, operator: 'test' })).toBe(true)
    await expect.poll(async () => (await rows())[0]?.retry_state).not.toBe('asked')
    return rows()
  }
  await deps.pool.query('delete from fear_greed')
  isSpoiled = true
  await worker.run<typeof refreshInsights>('refreshInsights')
  const [quarantined] = await rows()
  expect(quarantined).toMatchObject({ activity: 'refreshFearGreed', retry_state: null })
  // The next run reads only the newest days; the retry reads all.
  await worker.run<typeof refreshInsights>('refreshInsights')
  expect(await retry(quarantined!.id)).toMatchObject([{ id: quarantined!.id, retry_state: 'refused' }])

  // The answer of another publisher does not decide about this row.
  faults.add({ source: 'alternative-me', kind: 'error', count: 3 })
  const reason = 'alternative-me: status 500'
  expect(await retry(quarantined!.id)).toMatchObject([{ retry_state: 'failed', retry_failure: reason }])

  isSpoiled = false
  const missing = (await api.owner.selectFrom('fear_greed').select('at').execute()).length
  expect(await retry(quarantined!.id)).toEqual([])
  expect(await api.owner.selectFrom('fear_greed').select('at').execute()).toHaveLength(missing + 1)
})
