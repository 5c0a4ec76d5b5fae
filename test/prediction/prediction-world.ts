import { createPredictionActivities } from '../../activities/prediction/index.ts'
import type { TestDatabase } from '../setup/database.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

/** The prediction area on a real database with its simulated venues; `sync` does what one run of its workflow does. */
export async function startPredictionWorld(database: TestDatabase) {
  const world = await startSandboxWorld(database)
  const activities = createPredictionActivities(world.deps)

  async function sync(venue: 'polymarket' | 'kalshi'): Promise<{ markets: number; trades: number }> {
    const lists = await activities.listMarketLists({ venue })
    const total = { markets: 0, trades: 0 }
    for (const list of lists.current)
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page = await activities.loadMarketPage({ venue, list, cursor })
        total.markets += page.markets
        cursor = page.next
      }
    for (const list of lists.past)
      for (let more = true; more;) {
        const page = await activities.loadPastMarketPage({ venue, list })
        total.markets += page?.markets ?? 0
        more = page !== null && page.next !== null
      }
    await activities.checkPredictionMarkets({ venue, limit: 300 })
    const marketIds = await activities.listMarketsWithNewTrades({ venue, limit: 1_000 })
    total.trades = (await activities.loadMarketTrades({ marketIds })).trades
    const beforeMs = world.clock.nowMs - 60_000
    const old = await activities.listMarketsWithOldDetail({ venue, limit: 1_000, beforeMs })
    await activities.loadMarketDetails({ marketIds: old })
    while ((await activities.refreshPredictionTraders({ limit: 500 })) > 0);
    await activities.summarisePrediction()
    return total
  }

  return { ...world, activities, sync }
}
