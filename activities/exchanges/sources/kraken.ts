import type { ExchangeSpec } from '../exchange.ts'
import type { Kind } from '../kinds.ts'
import type { EntryInfo } from '../ledger-rows.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

/** Kinds of entries. `spend` and `receive` are the sides of a conversion and share a reference. */
const KINDS: Readonly<Record<string, Kind>> = {
  trade: 'elsewhere',
  deposit: 'transfer',
  withdrawal: 'transfer',
  spend: 'conversion',
  receive: 'conversion',
  conversion: 'conversion',
  staking: 'reward',
  earn: 'reward',
  reward: 'reward',
  dividend: 'reward',
  airdrop: 'airdrop',
  // Positions on margin: their profit or loss and fee, interest by the hour, and settlement in coins.
  margin: 'cost',
  rollover: 'cost',
  settled: 'move',
  // Between this account and futures, staking, custody or a sub-account.
  move: 'move',
  transfer: 'move',
  custodytransfer: 'move',
  // NFTs are not counted here: what is paid for them leaves.
  nfttrade: 'move',
  nftcreatorfee: 'move',
  nftrebate: 'move',
  adjustment: 'move',
  credit: 'move',
}

/** Moving an asset into or out of a programme has the type of a reward but is none. */
function nameOf({ type, subtype }: EntryInfo): string {
  const isMove = KINDS[String(type)] === 'reward' && /allocation|migration|transfer/.test(subtype ?? '')
  return isMove ? 'move' : String(type)
}

const PAGES = {
  by: 'offset',
  page: 50,
  // One second earlier, since Kraken counts in seconds and excludes the start.
  ask: ({ sinceMs = 0, untilMs, offset }: PageRequest) => ({
    since: sinceMs - 1_000,
    params: { ofs: offset, until: untilMs },
  }),
} as const

/** The fill of a position on margin moves no coins: its result is in the ledger. */
const isOnMargin = (info: Record<string, unknown>) => Number(info['margin'] ?? 0) > 0

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
      ledger: { nameOf, kinds: KINDS, feeIncluded: false },
    },
    { name: 'fills', method: 'fetchMyTrades', ...PAGES, isElsewhere: isOnMargin },
  ],
  rights: async (client) => {
    const { result } = await callImplicit(client, 'privatePostGetApiKeyInfo')
    const { permissions } = (result ?? {}) as { permissions?: unknown }
    return (Array.isArray(permissions) ? permissions : [])
      .map(String)
      .filter((permission) => !/^query|^export|websocket/i.test(permission))
  },
}
