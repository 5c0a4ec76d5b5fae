import { type LedgerMeaning, ledgerPage } from '../ledger-rows.ts'
import { callImplicit, FILL_LOOKBACK_MS, fillStream, timeWindow } from '../streams.ts'
import type { ExchangeSpec } from '../exchange.ts'

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
  options: {},
  signsTime: true,
  streams: [
    fillStream(
      timeWindow({ page: 250, windowDays: null, history: '2012-01-01', lookbackMs: FILL_LOOKBACK_MS }),
      {
        lists: 'one',
      },
    ),
    {
      name: 'transactions',
      lists: async (client) =>
        (await client.fetchAccounts({ paginate: true })).flatMap(({ id }) => (id === undefined ? [] : [id])),
      paging: { kind: 'id', page: 100, first: '' },
      read: async (client, { list, limit, fromId }) =>
        ledgerPage(
          await client.fetchLedger(undefined, undefined, limit, {
            account_id: list,
            order: 'asc',
            ...(fromId !== '' && { starting_after: fromId }),
          }),
          {
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
        ),
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
