import type { ActivityDeps } from '../deps.ts'
import { backfillTotals } from './backfill-totals.ts'
import { createInsightSources } from './insight-sources.ts'
import { refreshFearGreed } from './refresh-fear-greed.ts'

export function createInsightsActivities(deps: ActivityDeps) {
  const sources = createInsightSources(deps)
  return {
    refreshFearGreed: (input?: { afresh?: boolean }) => refreshFearGreed(deps, sources, input),
    backfillTotals: () => backfillTotals(deps, sources),
  }
}

export type InsightsActivities = ReturnType<typeof createInsightsActivities>
