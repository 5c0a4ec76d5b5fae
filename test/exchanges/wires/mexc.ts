import { byTime, hash, plain, PRICE, transfers, type Wire } from './wire.ts'

export const mexc: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v3\/myTrades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 31,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        id: `${id}`,
        orderId: 'o',
        price: PRICE,
        qty: amount,
        quoteQty: '1',
        commission: '0',
        commissionAsset: 'USDT',
        time: at,
        isBuyer: true,
        isMaker: false,
      }),
      body: plain,
    },
    ...transfers(
      {
        deposit: /^\/api\/v3\/capital\/deposit\/hisrec$/,
        withdrawal: /^\/api\/v3\/capital\/withdraw\/history$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 1_000,
          days: 7,
          order: 'newest',
        }),
        body: plain,
      },
      (row) =>
        row.kind === 'deposit'
          ? {
              amount: row.amount,
              coin: 'BTC',
              network: 'BTC',
              status: row.isPending ? 4 : 5,
              address: 'to',
              txId: hash(row),
              insertTime: row.at,
            }
          : {
              id: `w${row.id}`,
              amount: row.amount,
              transactionFee: '0',
              coin: 'BTC',
              network: 'BTC',
              status: row.isPending ? 4 : 7,
              address: 'to',
              txId: hash(row),
              applyTime: row.at,
            },
    ),
  ],
}
