import type { ExchangeSpec } from '../exchange.ts'
import type { Kind } from '../kinds.ts'
import type { EntryInfo } from '../ledger-rows.ts'
import type { PageRequest } from '../paging.ts'
import { callImplicit } from '../streams.ts'

const BY_TIME = {
  windowDays: null,
  history: '2013-01-01',
  // CCXT ends at the present.
  ask: ({ sinceMs, untilMs, limit }: PageRequest) => ({ since: sinceMs, limit, params: { end: untilMs } }),
} as const

/** Kinds of entries, by how their descriptions begin or what they contain: the first that fits. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/withdrawal|deposit/i, 'deposit or withdrawal'],
  [/^trading fees?\b.* on wallet margin/i, 'trading fee on margin'],
  [/^trading fees?\b/i, 'trading fee'],
  [/^exchange /i, 'exchange'],
  [/margin funding (payment|charge|fee)/i, 'margin funding'],
  [/^position .*(funding|swap)/i, 'position funding'],
  [/^(position|settlement)\b/i, 'position'],
  [/^transfer of/i, 'transfer'],
  [/staking/i, 'staking'],
  [/rebate|earned fees|affiliate/i, 'rebate'],
]
const KINDS: Readonly<Record<string, Kind>> = {
  'deposit or withdrawal': 'elsewhere',
  'trading fee': 'elsewhere',
  exchange: 'elsewhere',
  'trading fee on margin': 'cost',
  'margin funding': 'cost',
  'position funding': 'cost',
  position: 'cost',
  // Between wallets that are all read, or with a sub-account.
  transfer: 'move',
  staking: 'reward',
  rebate: 'reward',
}

/** The description without amounts and ids, if no name fits. */
function nameOf({ result = [] }: EntryInfo): string {
  const [, , , , , , , , text] = result
  const name = NAMES.find(([pattern]) => pattern.test(String(text)))
  return name
    ? name[1]
    : String(text)
        .replace(/ (@|on wallet) .*$/, '')
        .replace(/#?[\d.,]+/g, '')
        .trim()
}

/** The fill of a position on margin moves no coins: its result is in the ledger. */
const isOnMargin = (info: Record<string, unknown>) => !String(info[6]).startsWith('EXCHANGE')

/** Bitfinex, with the wallets for trading, margin and funding. */
export const bitfinex: ExchangeSpec = {
  source: {
    name: 'bitfinex',
    urlVariable: 'BITFINEX_URL',
    defaultUrl: 'https://api.bitfinex.com',
    // 90 requests a minute.
    requestsPerSecond: 1,
    burst: 5,
  },
  probe: '/v2/platform/status',
  options: {},
  signsTime: false,
  wallets: [{ type: 'exchange' }, { type: 'margin' }, { type: 'funding' }],
  lists: [
    { name: 'movements', method: 'fetchDepositsWithdrawals', ...BY_TIME, page: 1_000 },
    {
      name: 'ledger',
      method: 'fetchLedger',
      ...BY_TIME,
      page: 2_500,
      ledger: { nameOf, kinds: KINDS, feeIncluded: true },
    },
    { name: 'fills', method: 'fetchMyTrades', ...BY_TIME, isElsewhere: isOnMargin },
  ],
  rights: async (client) => {
    const answer = (await callImplicit(client, 'privatePostAuthRPermissions')) as unknown as unknown[][]
    return answer.flatMap(([scope, _reads, writes]) =>
      String(writes) === '1' && scope !== 'settings' && scope !== 'ui_withdraw' ? [String(scope)] : [],
    )
  },
}
