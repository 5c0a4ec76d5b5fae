import type { ExchangeSpec } from '../exchange.ts'
import type { LedgerMeaning } from '../ledger-rows.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

const CONVERSION: LedgerMeaning = { kind: 'convert', type: 'executed' }
const REWARD: LedgerMeaning = { kind: 'reward', type: 'deposit' }
const ADJUSTMENT: LedgerMeaning = { kind: 'adjustment', type: 'balance' }

/** Meanings of Kraken's ledger types. null: in the list of fills. `spend` and `receive` share a reference. */
const MEANINGS: Record<string, LedgerMeaning | null> = {
  trade: null,
  margin: null,
  rollover: null,
  settled: null,
  deposit: { kind: 'deposit', type: 'deposit' },
  withdrawal: { kind: 'withdrawal', type: 'withdraw' },
  spend: CONVERSION,
  receive: CONVERSION,
  conversion: CONVERSION,
  staking: REWARD,
  earn: REWARD,
  reward: REWARD,
  dividend: REWARD,
  airdrop: { ...REWARD, role: 'airdrop' },
}

/** Moving an asset into or out of a programme has the type of a reward but is none. */
const isMove = (subtype: string) => /allocation|migration|transfer/.test(subtype)

const PAGES = {
  by: 'offset',
  page: 50,
  // One second earlier, since Kraken counts in seconds and excludes the start.
  ask: ({ sinceMs = 0, untilMs, offset }: PageRequest) => ({
    since: sinceMs - 1_000,
    params: { ofs: offset, until: untilMs },
  }),
} as const

/**
 * Kraken spot. A page is an offset from the newest row, so the end of a window must stay fixed while it is
 * read. Nonces must rise, so only one sync runs per connection.
 */
export const kraken: ExchangeSpec = {
  source: {
    name: 'kraken',
    sandbox: { path: '/kraken' },
    urlVariable: 'KRAKEN_URL',
    defaultUrl: 'https://api.kraken.com',
    // A ledger page costs 2 of 15 points; one point returns every three seconds.
    requestsPerSecond: 0.5,
    burst: 4,
  },
  probe: '/0/public/Time',
  options: {},
  signsTime: false,
  lists: [
    {
      name: 'ledger',
      method: 'fetchLedger',
      ...PAGES,
      ledger: {
        feeIncluded: false,
        meaningOf: ({ info: { type, subtype }, direction }) => {
          const meaning = MEANINGS[type]
          if (meaning?.kind === 'reward' && (direction === 'out' || isMove(subtype ?? ''))) return ADJUSTMENT
          return meaning === undefined ? ADJUSTMENT : meaning
        },
      },
    },
    { name: 'fills', method: 'fetchMyTrades', ...PAGES },
  ],
  rights: async (client) => {
    const { result } = await callImplicit(client, 'privatePostGetApiKeyInfo')
    const { permissions } = (result ?? {}) as { permissions?: unknown }
    return (Array.isArray(permissions) ? permissions : [])
      .map(String)
      .filter((permission) => !/^query|^export|websocket/i.test(permission))
  },
}
