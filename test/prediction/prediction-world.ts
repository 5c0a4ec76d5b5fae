import type { ActivityDeps } from '../../activities/deps.ts'
import { createPredictionActivities } from '../../activities/prediction/index.ts'
import type { PredictionVenue } from '../../db/prediction/tables.ts'
import type { TestDatabase } from '../setup/database.ts'
import { filledDatabase } from '../setup/database.ts'
import { openSandboxWorld, startSandboxWorld } from '../setup/sandbox-world.ts'

/** The prediction area on a real database with simulated venues. `sync` does the same as one workflow run. */
export async function startPredictionWorld(database: TestDatabase, options: { nowMs?: number } = {}) {
  const world = await startSandboxWorld(database, options)
  return { ...world, ...predictionOf(world.deps, world.clock) }
}

/** A world in which Polymarket was read to its end. */
export async function startFilledPredictionWorld() {
  const { database, filled } = await filledDatabase('polymarket', async (template) => {
    const { deps, clock, close } = await openSandboxWorld(template)
    await predictionOf(deps, clock).sync('polymarket')
    await close()
    return { nowMs: clock.nowMs }
  })
  return { database, ...(await startPredictionWorld(database, filled)) }
}

/** `sync` on any dependencies. */
export function predictionOf(deps: ActivityDeps, clock: { nowMs: number }) {
  const activities = createPredictionActivities(deps)

  /** Loads only the lists of a venue. */
  async function loadVenue(venue: PredictionVenue): Promise<number> {
    const lists = (await activities.listMarketLists({ venue })) ?? { current: [], past: [] }
    let markets = 0
    for (const list of lists.current)
      for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
        const page = await activities.loadMarketPage({ venue, list, cursor })
        markets += page.markets
        cursor = page.next
      }
    for (const list of lists.past)
      for (let more = true; more;) {
        const page = await activities.loadPastMarketPage({ venue, list })
        markets += page?.markets ?? 0
        more = page !== null && page.next !== null
      }
    return markets
  }

  async function sync(venue: PredictionVenue): Promise<{ markets: number; trades: number }> {
    const total = { markets: await loadVenue(venue), trades: 0 }
    await activities.checkPredictionMarkets({ venue, limit: 300 })
    const marketIds = await activities.listMarketsWithNewTrades({ venue, limit: 1_000 })
    total.trades = (await activities.loadMarketTrades({ marketIds })).trades
    const beforeMs = clock.nowMs - 60_000
    const old = await activities.listMarketsWithOldDetail({ venue, limit: 1_000, beforeMs })
    await activities.loadMarketDetails({ marketIds: old })
    while ((await activities.refreshPredictionTraders({ limit: 500 })) > 0);
    await activities.summarisePrediction()
    await match()
    return total
  }

  async function match(): Promise<number> {
    let total = 0
    for (let afterId: number | null = 0; afterId !== null;) {
      const { compared, next } = await activities.matchPredictionMarkets({ afterId, limit: 100 })
      total += compared
      afterId = next
    }
    await activities.matchPredictionEvents()
    return total
  }

  return { activities, sync, loadVenue, match }
}
