import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

export const bybit: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/v5\/execution\/list$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 7,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        execId: `e${id}`,
        orderId: 'o',
        side: 'Buy',
        execPrice: PRICE,
        execQty: amount,
        execValue: '1',
        execFee: '0',
        feeRate: '0',
        feeCurrency: 'BTC',
        execType: 'Trade',
        isMaker: false,
        execTime: `${at}`,
      }),
      body: (list) => ({ retCode: 0, retMsg: 'OK', result: { category: 'spot', nextPageCursor: '', list } }),
    },
    ...transfers(
      {
        deposit: /^\/v5\/asset\/deposit\/query-record$/,
        withdrawal: /^\/v5\/asset\/withdraw\/query-record$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 50,
          days: 30,
          order: 'newest',
        }),
        body: (rows) => ({ retCode: 0, retMsg: 'success', result: { rows, nextPageCursor: '' } }),
      },
      (row) =>
        row.kind === 'deposit'
          ? {
              coin: 'BTC',
              chain: 'BTC',
              amount: row.amount,
              txID: hash(row),
              status: row.isPending ? 1 : 3,
              toAddress: 'to',
              depositFee: '',
              successAt: `${row.at}`,
            }
          : {
              withdrawId: `${row.id}`,
              coin: 'BTC',
              chain: 'BTC',
              amount: row.amount,
              txID: hash(row),
              status: row.isPending ? 'Pending' : 'success',
              withdrawFee: '0',
              toAddress: 'to',
              createTime: `${row.at}`,
            },
    ),
  ],
}
