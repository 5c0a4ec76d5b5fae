import { byOffset, constant, hash, number, PRICE, type Wire } from './wire.ts'

export const whitebit: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  tickMs: { deposit: 1_000, withdrawal: 1_000 },
  lists: [
    constant(/^\/api\/v4\/main-account\/balance$/, {
      BTC: { main_balance: '1.5' },
      ETH: { main_balance: '0' },
    }),
    constant(/^\/api\/v4\/trade-account\/balance$/, { BTC: { available: '0.25', freeze: '0.125' } }),
    {
      path: /^\/api\/v4\/trade-account\/executed-history$/,
      kinds: ['fill'],
      select: byOffset(
        { from: 'startDate', to: 'endDate', limit: 'limit', unit: 1_000, most: 100, usual: 50 },
        (params) => {
          if (number(params, 'offset') > 10_000) throw new Error('an offset above 10,000')
          return number(params, 'offset')
        },
      ),
      row: ({ id, at, amount }) => ({
        id,
        clientOrderId: '',
        time: at / 1_000,
        side: 'buy',
        role: 2,
        amount,
        price: PRICE,
        deal: '1',
        fee: '0',
        orderId: 1,
        feeAsset: 'USDT',
      }),
      body: (items) => (items.length > 0 ? { BTC_USDT: items } : []),
    },
    {
      path: /^\/api\/v4\/main-account\/history$/,
      kinds: ['deposit', 'withdrawal'],
      select: (rows, params) => {
        const kind = params['transactionMethod'] === '2' ? 'withdrawal' : 'deposit'
        const page = byOffset({ limit: 'limit', most: 100 }, (given) => number(given, 'offset'))
        return page(
          rows.filter((row) => row.kind === kind),
          params,
        )
      },
      row: (row) => ({
        address: 'to',
        uniqueId: null,
        transactionId: `t${row.id}`,
        createdAt: row.at / 1_000,
        currency: 'Bitcoin',
        ticker: 'BTC',
        method: row.kind === 'deposit' ? 1 : 2,
        amount: row.amount,
        fee: '0',
        status: row.isPending ? 15 : row.kind === 'deposit' ? 3 : 7,
        network: null,
        transactionHash: hash(row),
      }),
      body: (records) => ({ limit: 100, offset: 0, records, total: 0 }),
    },
  ],
}
