import { countForPlan } from '../../db/risk/count-for-plan.ts'
import { type Asking, countedRequests, regular } from '../requests.ts'
import { GOPLUS } from './sources/goplus.ts'
import { RUGCHECK } from './sources/rugcheck.ts'

/** workflows/risk/refresh-risks.ts checks a token once a day, and this many in one activity. */
const CHECKED_SECONDS = 86_400
const BATCH = 25

export const riskRequests = countedRequests({
  assumed: { 'tokens on EVM networks': 500, 'tokens on Solana': 20 },
  count: countForPlan,
  askings({ counts, planOf }): Asking[] {
    const each = { what: 'risks of tokens', seconds: CHECKED_SECONDS }
    const evm = counts['tokens on EVM networks']
    // With a key a call takes what an activity has of one network, which may be fewer.
    const calls = planOf(GOPLUS) === 'keyless' ? evm : Math.ceil(evm / BATCH)
    return [
      regular({ ...each, source: GOPLUS, each: calls }),
      regular({ ...each, source: RUGCHECK, each: counts['tokens on Solana'] }),
    ]
  },
})
