import type { ExchangeSpec } from '../exchange.ts'
import type { LedgerMeaning } from '../ledger-rows.ts'
import type { PageRequest } from '../paging.ts'

const REWARD: LedgerMeaning = { kind: 'reward', type: 'deposit' }
const ADJUSTMENT: LedgerMeaning = { kind: 'adjustment', type: 'balance' }

/** Meanings of the types of user transactions, whose numbers Bitstamp documents. null: a fill */
const MEANINGS: Record<string, LedgerMeaning | null> = {
  0: { kind: 'deposit', type: 'deposit' },
  1: { kind: 'withdrawal', type: 'withdraw' },
  2: null,
  27: REWARD,
  32: REWARD,
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
      ledger: {
        feeIncluded: false,
        meaningOf: ({ info: { type } }) => {
          const meaning = MEANINGS[type]
          return meaning === undefined ? ADJUSTMENT : meaning
        },
      },
    },
    { name: 'fills', method: 'fetchMyTrades', ...ALL, of: 'one', isMixed: true },
  ],
  rights: null,
}
