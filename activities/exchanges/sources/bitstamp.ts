import type { ExchangeSpec } from '../exchange.ts'
import type { Kind } from '../kinds.ts'
import type { PageRequest } from '../paging.ts'

/** Kinds of user transactions, whose numbers Bitstamp documents. */
const KINDS: Readonly<Record<string, Kind>> = {
  0: 'transfer',
  1: 'transfer',
  2: 'elsewhere',
  // Between sub-accounts, and into and out of staking.
  14: 'move',
  25: 'move',
  26: 'move',
  33: 'move',
  35: 'move',
  // Staking and referrals.
  27: 'reward',
  32: 'reward',
}

/** One list holds everything; ids rise with time. */
const ALL = {
  by: 'id',
  page: 1_000,
  first: '1',
  ask: ({ limit, fromId }: PageRequest) => ({ limit, params: { since_id: fromId, sort: 'asc' } }),
} as const

/** Bitstamp, by id. */
export const bitstamp: ExchangeSpec = {
  source: {
    name: 'bitstamp',
    urlVariable: 'BITSTAMP_URL',
    defaultUrl: 'https://www.bitstamp.net',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/api/v2/ticker/btcusd/',
  options: {},
  signsTime: false,
  lists: [
    {
      name: 'transactions',
      method: 'fetchLedger',
      ...ALL,
      ledger: { kinds: KINDS, feeIncluded: false },
    },
    { name: 'fills', method: 'fetchMyTrades', ...ALL, of: 'one', isMixed: true },
  ],
  rights: null,
}
