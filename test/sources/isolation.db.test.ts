import { beforeAll, expect, test } from 'vitest'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { createRiskActivities } from '../../activities/risk/index.ts'
import { routes } from '../../api/routes.ts'
import { tokens } from '../../sandbox/chain/tokens.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

const database = await testDatabase()
const { deps, faults, clock } = await startSandboxWorld(database)
const api = await startApi({ database, routes, overrides: { now: () => new Date(clock.nowMs) } })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000 })
const prices = createPricesActivities(deps)
const risks = createRiskActivities(deps)
const { address } = tokens.find((token) => token.key === 'USDC' && token.network === 'ethereum')!

/**
 * Areas without a common source: the activity that reads their sources, and an endpoint that serves the data.
 */
const AREAS = {
  prices: { refresh: () => prices.refreshQuotes(), path: '/coins?coinIds=bitcoin' },
  risk: {
    refresh: () => risks.checkTokens({ tokens: [{ blockchain: 'ethereum', address }] }),
    path: `/token-risks?chain=ethereum&contractAddress=${address}`,
  },
} as const
type Area = keyof typeof AREAS
const NAMES = Object.keys(AREAS) as Area[]

interface Refreshed {
  /** null: it succeeded */
  failure: string | null
  /** time of the data served afterwards */
  asOf: string
}

async function refreshAll(): Promise<Record<Area, Refreshed>> {
  const outcomes = await Promise.allSettled(NAMES.map((name) => AREAS[name].refresh()))
  const answers = await Promise.all(NAMES.map((name) => api.get(AREAS[name].path, key)))
  return Object.fromEntries(
    NAMES.map((name, i) => {
      expect(answers[i]!.status).toBe(200)
      const asOf = answers[i]!.headers.get('x-data-as-of')!
      const outcome = outcomes[i]!
      return [name, { failure: outcome.status === 'fulfilled' ? null : String(outcome.reason), asOf }]
    }),
  ) as Record<Area, Refreshed>
}

beforeAll(() => {
  // The test adds days, and no source may get ahead of the real time.
  clock.nowMs = Date.now() - 10 * 86_400_000
})

test.each<[Area, string[]]>([
  ['prices', ['coingecko', 'coinpaprika', 'defillama']],
  ['risk', ['goplus']],
])(
  'when the sources of %s fail, only its data gets old, and its response shows the age',
  async (failing, sources) => {
    faults.clear()
    await query(
      database.ownerUrl,
      `update source_states set next_request_at = '-infinity', consecutive_failures = 0`,
    )
    const before = await refreshAll()
    expect(before).toMatchObject({ prices: { failure: null }, risk: { failure: null } })
    clock.nowMs += 86_400_000
    for (const source of sources) faults.add({ source, kind: 'error', count: 1_000 })
    const after = await refreshAll()
    for (const name of NAMES) {
      const { failure } = after[name]
      expect({ name, failed: failure !== null, failure }).toMatchObject({ name, failed: name === failing })
      if (name === failing) expect(after[name].asOf).toBe(before[name].asOf)
      else expect(Date.parse(after[name].asOf)).toBeGreaterThan(Date.parse(before[name].asOf))
    }
    const states = await query<{ source: string }>(
      database.ownerUrl,
      'select source from source_states where consecutive_failures > 0 order by source',
    )
    expect(states.map(({ source }) => source)).toEqual(sources)
  },
)
