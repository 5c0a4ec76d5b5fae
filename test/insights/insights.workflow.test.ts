import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInsightsActivities } from '../../activities/insights/index.ts'
import { getBtcDominance } from '../../api/insights/get-btc-dominance.ts'
import { getFearAndGreedChart } from '../../api/insights/get-fear-and-greed-chart.ts'
import type { backfillTotals } from '../../workflows/insights/backfill-totals.ts'
import type { refreshInsights } from '../../workflows/insights/refresh-insights.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { startWorker } from '../setup/worker.ts'

const database = await testDatabase()
const { deps, faults } = await startSandboxWorld(database)
const api = await startApi({ database, routes: [getBtcDominance, getFearAndGreedChart] })
const { key } = await api.newAccount()
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  worker = await startWorker({ taskQueue: 'insights-test', activities: createInsightsActivities(deps) })
})
afterAll(() => worker.stop())

test('from the sandbox through the workflows to the endpoints; a limited source is waited for', async () => {
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
