import type { ExchangeSpec } from '../exchange.ts'
import type { Kind } from '../kinds.ts'
import { callImplicit } from '../streams.ts'

/** Kinds of transactions. */
const KINDS: Readonly<Record<string, Kind>> = {
  advanced_trade_fill: 'elsewhere',
  exchange_trade: 'elsewhere',
  // Gifts and what is paid to and by others are sent; cards spend and give back.
  send: 'transfer',
  request: 'transfer',
  fiat_deposit: 'transfer',
  fiat_withdrawal: 'transfer',
  exchange_deposit: 'transfer',
  exchange_withdrawal: 'transfer',
  pro_deposit: 'transfer',
  pro_withdrawal: 'transfer',
  cardspend: 'transfer',
  cardbuyback: 'transfer',
  unsupported_asset_recovery: 'transfer',
  buy: 'conversion',
  sell: 'conversion',
  trade: 'conversion',
  wrap_asset: 'conversion',
  unwrap_asset: 'conversion',
  retail_simple_dust: 'conversion',
  retail_eth2_deprecation: 'conversion',
  delisted_consolidation: 'conversion',
  staking_reward: 'reward',
  inflation_reward: 'reward',
  earn_payout: 'reward',
  incentives_rewards_payout: 'reward',
  incentives_shared_clawback: 'reward',
  clawback: 'reward',
  subscription_rebate: 'reward',
  interest: 'interest',
  derivatives_settlement: 'cost',
  subscription: 'cost',
  // Between wallets of the owner: staking, vault, the exchange for institutions.
  transfer: 'move',
  vault_withdrawal: 'move',
  staking_transfer: 'move',
  unstaking_transfer: 'move',
  intx_deposit: 'move',
  intx_withdrawal: 'move',
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
      ledger: { kinds: KINDS, feeIncluded: true },
    },
  ],
  statuses: { waiting_for_clearing: 'pending', waiting_for_signature: 'pending' },
  rights: async (client) => {
    const answer = await callImplicit(client, 'v3PrivateGetBrokerageKeyPermissions')
    return [
      ...(answer['can_trade'] === true ? ['trade'] : []),
      ...(answer['can_transfer'] === true ? ['transfer'] : []),
    ]
  },
}
