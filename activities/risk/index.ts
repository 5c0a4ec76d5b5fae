import type { RiskToken } from '../../db/risk/chains.ts'
import { readDueTokens } from '../../db/risk/read-for-ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { checkTokens } from './check-tokens.ts'
import { createRiskSources } from './risk-sources.ts'

export function createRiskActivities(deps: ActivityDeps) {
  const sources = createRiskSources(deps)
  const chains = sources.flatMap((source) => source.chains)
  return {
    checkTokens: (input: { tokens: RiskToken[] }) => checkTokens(deps, sources, input.tokens),
    /**
     * Tokens that were never checked or last checked before an instant (Unix milliseconds) and whose source
     * is on.
     */
    listDueTokens: (input: { beforeMs: number; limit: number }) =>
      readDueTokens(deps.db, { chains, before: new Date(input.beforeMs), limit: input.limit }),
  }
}

export type RiskActivities = ReturnType<typeof createRiskActivities>
