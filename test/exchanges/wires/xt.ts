import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

export const xt: Wire = {
  market: ['btc_usdt', 'BTC/USDT'],
  lists: [
    {
      path: /^\/v4\/trade$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        usual: 20,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'btc_usdt',
        tradeId: `${id}`,
        orderId: '1',
        orderSide: 'BUY',
        orderType: 'LIMIT',
        bizType: 'SPOT',
        time: at,
        price: PRICE,
        quantity: amount,
        quoteQty: '1',
        baseCurrency: 'btc',
        quoteCurrency: 'usdt',
        fee: '0',
        feeCurrency: 'btc',
        takerMaker: 'TAKER',
      }),
      body: (items) => ({ rc: 0, mc: 'SUCCESS', ma: [], result: { hasPrev: false, hasNext: false, items } }),
    },
    ...transfers(
      { deposit: /^\/v4\/deposit\/history$/, withdrawal: /^\/v4\/withdraw\/history$/ },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 200,
          usual: 10,
          order: 'newest',
        }),
        body: (items) => ({
          rc: 0,
          mc: 'SUCCESS',
          ma: [],
          result: { hasPrev: false, hasNext: false, items },
        }),
      },
      (row) => ({
        id: row.id,
        currency: 'btc',
        chain: 'Bitcoin',
        memo: '',
        status: row.isPending ? 'PENDING' : 'SUCCESS',
        amount: row.amount,
        confirmations: 1,
        transactionId: hash(row),
        address: 'to',
        createdTime: row.at,
        ...(row.kind === 'deposit' ? { fromAddr: 'from' } : { fee: '0' }),
      }),
    ),
  ],
}
