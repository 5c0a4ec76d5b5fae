import type { ExchangeSpec } from '../exchange.ts'
import type { LedgerMeaning } from '../ledger-rows.ts'
import { callImplicit } from '../streams.ts'

const CONVERSION: LedgerMeaning = { kind: 'convert', type: 'executed' }
const REWARD: LedgerMeaning = { kind: 'reward', type: 'deposit' }
const ADJUSTMENT: LedgerMeaning = { kind: 'adjustment', type: 'balance' }

/** Meanings of transaction types. null: a fill, which the list of fills has too */
const MEANINGS: Record<string, LedgerMeaning | 'transfer' | null> = {
  advanced_trade_fill: null,
  exchange_trade: null,
  send: 'transfer',
  request: 'transfer',
  fiat_deposit: 'transfer',
  fiat_withdrawal: 'transfer',
  exchange_deposit: 'transfer',
  exchange_withdrawal: 'transfer',
  pro_deposit: 'transfer',
  pro_withdrawal: 'transfer',
  buy: CONVERSION,
  sell: CONVERSION,
  trade: CONVERSION,
  staking_reward: REWARD,
  inflation_reward: REWARD,
  earn_payout: REWARD,
  interest: { ...REWARD, role: 'interest' },
}

/**
 * Coinbase: fills of the advanced API, and all transactions of each account, oldest first. Their amounts are
 * changes of the balance and include network fees.
 */
export const coinbase: ExchangeSpec = {
  source: {
    name: 'coinbase',
    urlVariable: 'COINBASE_URL',
    defaultUrl: 'https://api.coinbase.com',
    requestsPerSecond: 5,
    burst: 10,
  },
  probe: '/v2/time',
  options: {},
  signsTime: true,
  lists: [
    // The exchange gives fewer fills a page than CCXT declares.
    { name: 'fills', method: 'fetchMyTrades', page: 250, history: '2012-01-01' },
    {
      name: 'transactions',
      method: 'fetchLedger',
      by: 'id',
      page: 100,
      first: '',
      of: async (client) =>
        (await client.fetchAccounts({ paginate: true })).flatMap(({ id }) => (id === undefined ? [] : [id])),
      ask: ({ list, limit, fromId }) => ({
        limit,
        params: { account_id: list, order: 'asc', ...(fromId !== '' && { starting_after: fromId }) },
      }),
      ledger: {
        feeIncluded: true,
        meaningOf: ({ info: { type }, direction }) => {
          const meaning = MEANINGS[type]
          if (meaning === undefined) return ADJUSTMENT
          if (meaning !== 'transfer') return meaning
          return direction === 'in'
            ? { kind: 'deposit', type: 'deposit' }
            : { kind: 'withdrawal', type: 'withdraw' }
        },
      },
    },
  ],
  rights: async (client) => {
    const answer = await callImplicit(client, 'v3PrivateGetBrokerageKeyPermissions')
    return [
      ...(answer['can_trade'] === true ? ['trade'] : []),
      ...(answer['can_transfer'] === true ? ['transfer'] : []),
    ]
  },
}
