import { currency, interval, portfolioId, range, text, under, type Task } from './task.ts'

const DAY_MS = 86_400_000
const PROFIT = ['allTime.USD', 'unrealized.USD', 'realized.USD', 'hour24.USD']
const COIN_FIELDS = [
  'result.coin.identifier',
  'result.coin.symbol',
  'result.count',
  'result.price.USD',
  'result.totalCost.USD',
  ...under('result.profit', PROFIT),
]
const ENDS = ['start', 'end'].flatMap((end) =>
  under(end, [
    'at',
    'value',
    'positions.items.coinId',
    'positions.items.count',
    'positions.items.valueUsd',
    'positions.items.price.usd',
  ]),
)

export const PORTFOLIO_TASKS: readonly Task[] = [
  {
    name: 'listPortfolios',
    title: 'Portfolios of the account',
    description: 'Ids, names and kinds of the connected wallets, exchange accounts and manual portfolios.',
    properties: {},
    calls: () => ({ portfolios: { path: '/portfolio/list', arguments: {} } }),
  },
  {
    name: 'portfolioSummary',
    title: 'What a portfolio is worth and gained',
    description: 'Value, cost, profit, and the most valuable coins with theirs, in USD for each coin.',
    properties: { portfolioId, currency },
    calls: ({ portfolioId: id, currency: unit }) => ({
      value: { path: '/portfolio/value', arguments: { portfolioId: id, currency: unit } },
      coins: { path: '/portfolio/coins', arguments: { portfolioId: id, limit: 15 }, fields: COIN_FIELDS },
    }),
  },
  {
    name: 'whyDidPortfolioChange',
    title: 'Why a portfolio gained or lost on a day',
    description:
      'Profit of one UTC day, both ends by coin with amounts and prices, and each deposit and withdrawal. Without a day: yesterday.',
    properties: { day: text('YYYY-MM-DD'), portfolioId, currency },
    calls: ({ day, portfolioId: id, currency: unit }, now) => {
      const from = typeof day === 'string' ? day : dayOf(now.getTime() - DAY_MS)
      const nextMs = Date.parse(`${from}T00:00:00Z`) + DAY_MS
      // A day that is none is refused by the API, with its reason.
      const to = Number.isNaN(nextMs) ? from : dayOf(nextMs)
      return {
        day: {
          path: '/portfolio/explain',
          arguments: { portfolioId: id, currency: unit, interval: 'daily', from, to, date: to, limit: 50 },
          fields: [
            'figure',
            'currency',
            ...ENDS,
            'flows.value',
            ...under('flows.items', [
              'at',
              'reason',
              'transaction',
              'value',
              'terms.coinId',
              'terms.count',
              'terms.price.usd',
            ]),
          ],
          maxItems: 50,
        },
      }
    },
  },
  {
    name: 'portfolioProfit',
    title: 'Profit and loss of a portfolio over time',
    description: 'Profit of each period, without deposits and withdrawals.',
    properties: { range, interval, portfolioId, currency },
    calls: ({ range: of = '1m', interval: by = 'daily', portfolioId: id, currency: unit }) => ({
      history: {
        path: '/portfolio/pl/history',
        arguments: { portfolioId: id, currency: unit, range: of, interval: by },
        maxItems: 400,
      },
    }),
  },
  {
    name: 'whyThisProfit',
    title: 'How the profit of one coin comes about',
    description:
      'Sums, equations, lots still held and months behind cost and profit of a coin of a portfolio.',
    properties: { coinId: text('From portfolioSummary, such as bitcoin'), portfolioId },
    required: ['coinId'],
    calls: ({ coinId, portfolioId: id }) => ({
      coin: {
        path: '/portfolio/explain',
        arguments: { coinId, portfolioId: id },
        fields: [
          ...under('figure', ['method', 'count', 'price.USD', 'value.USD', 'totalCost.USD']),
          ...under('figure.profit', PROFIT),
          'equations',
          'prices',
          'totals.acquired.count',
          'totals.acquired.amount.USD',
          'totals.disposed.count',
          'totals.disposed.amount.USD',
          'totals.disposedCost.USD',
          'openLots.USD',
          'months.items.month',
          'months.items.acquired.amount.USD',
          'months.items.disposed.amount.USD',
          'months.items.disposedCost.USD',
        ],
      },
    }),
  },
  {
    name: 'portfolioTransactions',
    title: 'Transactions of a portfolio',
    description: 'Newest first, 20 a page, of wallets, exchanges and by hand.',
    properties: {
      portfolioId,
      coinId: text('Only those that moved this coin'),
      from: text('YYYY-MM-DD, inclusive'),
      to: text('YYYY-MM-DD, exclusive'),
      page: { type: 'integer', minimum: 1 },
      currency,
    },
    calls: ({ currency: unit = 'USD', ...rest }) => ({
      transactions: {
        path: '/portfolio/transactions',
        arguments: { ...rest, currency: unit, limit: 20 },
        fields: [
          'data.transactionType',
          'data.date',
          'data.portfolioInfo.name',
          'data.coinData',
          'data.transfers.transferType',
          'data.transfers.items.count',
          'data.transfers.items.coin.symbol',
          'data.fee.count',
          'data.fee.coin.symbol',
          'data.note',
          'meta',
        ],
      },
    }),
  },
  {
    name: 'creditsLeft',
    title: 'Credits of the account',
    description: 'What was used and what is left in this period.',
    properties: {},
    calls: () => ({ credits: { path: '/usage/credits', arguments: {} } }),
  },
]

/** A UTC day. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
