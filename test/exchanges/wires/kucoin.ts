import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

export const kucoin: Wire = {
  market: ['BTC-USDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v1\/fills$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startAt',
        to: 'endAt',
        limit: 'pageSize',
        most: 500,
        usual: 50,
        days: 7,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTC-USDT',
        tradeId: `${id}`,
        orderId: 'o',
        side: 'buy',
        price: PRICE,
        size: amount,
        funds: '1',
        fee: '0',
        feeCurrency: 'USDT',
        liquidity: 'taker',
        tradeType: 'TRADE',
        createdAt: at,
      }),
      body: (items) => ({ code: '200000', data: { currentPage: 1, items } }),
    },
    ...transfers(
      { deposit: /^\/api\/v1\/deposits$/, withdrawal: /^\/api\/v1\/withdrawals$/ },
      {
        select: byTime({
          from: 'startAt',
          to: 'endAt',
          limit: 'pageSize',
          most: 500,
          usual: 50,
          order: 'newest',
        }),
        body: (items) => ({ code: '200000', data: { currentPage: 1, items } }),
      },
      (row) => ({
        currency: 'BTC',
        amount: row.amount,
        fee: '0',
        address: 'to',
        isInner: false,
        walletTxId: hash(row),
        createdAt: row.at,
        status: row.isPending ? 'PROCESSING' : 'SUCCESS',
        ...(row.kind === 'withdrawal' && { id: `${row.id}` }),
      }),
    ),
  ],
}
