import type { RiskToken } from '../../db/risk/chains.ts'
import { knowsContracts, readDueTokens } from '../../db/risk/read-for-ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { checkTokens } from './check-tokens.ts'
import { createGoPlus, GOPLUS } from './sources/goplus.ts'

export function createRiskActivities(deps: ActivityDeps) {
  const source = deps.config.sources[GOPLUS]
  const goplus = source ? createGoPlus({ http: deps.http, now: deps.now, ...source }) : null
  return {
    checkTokens: (input: { tokens: RiskToken[] }) => checkTokens(deps, goplus, input.tokens),
    /** Tokens that were last checked before an instant (milliseconds since 1970), or never. */
    listDueTokens: (input: { beforeMs: number; limit: number }) =>
      readDueTokens(deps.db, { before: new Date(input.beforeMs), limit: input.limit }),
    knowsContracts: () => knowsContracts(deps.db),
  }
}

export type RiskActivities = ReturnType<typeof createRiskActivities>
