import { EVM_RISK_CHAINS, type RiskChain, type RiskToken } from '../../db/risk/chains.ts'
import type { CheckedToken } from '../../db/risk/write.ts'
import type { ActivityDeps } from '../deps.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { assess } from './assess.ts'
import { assessMint } from './assess-mint.ts'
import { createGoPlus, type GoPlus, GOPLUS } from './sources/goplus.ts'
import { createRugCheck, type RugCheck, RUGCHECK } from './sources/rugcheck.ts'

/** A source of token risks. `check` takes up to `batchSize` tokens of one of its networks. */
export interface RiskSource {
  name: string
  chains: readonly RiskChain[]
  batchSize: number
  check: (tokens: readonly RiskToken[]) => Promise<{ checked: CheckedToken[]; quarantined: QuarantinedRow[] }>
}

/** The sources that are on. */
export function createRiskSources({ http, config, now }: Pick<ActivityDeps, 'http' | 'config' | 'now'>) {
  const goplus = config.sources[GOPLUS]
  const rugcheck = config.sources[RUGCHECK]
  return [
    ...(goplus ? [fromGoPlus(createGoPlus({ http, now, ...goplus }))] : []),
    ...(rugcheck ? [fromRugCheck(createRugCheck({ http, url: rugcheck.url }))] : []),
  ]
}

function fromGoPlus(goplus: GoPlus): RiskSource {
  return {
    name: GOPLUS,
    chains: EVM_RISK_CHAINS,
    batchSize: goplus.batchSize,
    async check(tokens) {
      const addresses = tokens.map(({ address }) => address)
      const found = await goplus.tokenFacts({ blockchain: tokens[0]!.blockchain, addresses })
      const checked = tokens.map((token): CheckedToken => {
        const facts = found.get(token.address)
        return { ...token, assessment: facts ? { facts, ...assess(facts) } : null }
      })
      return { checked, quarantined: [] }
    },
  }
}

function fromRugCheck(rugcheck: RugCheck): RiskSource {
  return {
    name: RUGCHECK,
    chains: ['solana'],
    batchSize: 1,
    async check([token]) {
      const facts = await rugcheck.summary(token!.address)
      if (facts === null) return { checked: [{ ...token!, assessment: null }], quarantined: [] }
      const { unknown, ...assessment } = assessMint(facts)
      // Quarantine unmapped risk names, so that no risk is lost silently.
      const quarantined = unknown.map((name) => ({ reason: `unknown risk: ${name}`, payload: token }))
      return { checked: [{ ...token!, assessment: { facts, ...assessment } }], quarantined }
    },
  }
}
