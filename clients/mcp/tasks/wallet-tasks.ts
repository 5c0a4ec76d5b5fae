import { currency, interval, range, text, type Task, under } from './task.ts'

export const WALLET_TASKS: readonly Task[] = [
  {
    name: 'walletOverview',
    title: 'What a wallet holds, and its last transactions',
    description:
      'Of any address on one network, or on several separated by commas. The first read starts its sync.',
    properties: {
      address: text('EVM, Bitcoin (also xpub) or Solana address'),
      connectionId: text('Network ids such as ethereum,base-wallet; getWalletBlockchains lists them'),
    },
    required: ['address', 'connectionId'],
    calls: ({ address, connectionId }) => ({
      balances: {
        path: '/wallet/balances',
        arguments: { address, networks: connectionId },
        fields: ['blockchain', ...under('balances', ['coinId', 'symbol', 'amount', 'price', 'isPriced'])],
        maxItems: 30,
      },
      transactions: {
        path: '/wallet/transactions',
        arguments: { address, connectionId, limit: 10 },
        fields: [
          'result.type',
          'result.date',
          'result.coinData',
          'result.profitLoss',
          'result.hash.id',
          'meta.pending',
        ],
      },
    }),
  },
  {
    name: 'walletProfit',
    title: 'Profit and loss of a wallet over time',
    description: 'Profit of each period, without what came in and went out.',
    properties: {
      address: text('Address'),
      connectionId: text('Network ids, separated by commas'),
      range,
      interval,
      currency,
    },
    required: ['address', 'connectionId'],
    calls: ({ range: of = '1m', interval: by = 'daily', ...rest }) => ({
      history: { path: '/wallet/pl/history', arguments: { ...rest, range: of, interval: by }, maxItems: 400 },
    }),
  },
]
