import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

const listed = (data: unknown[]) => ({ code: '00000', msg: '', data })

export const bitget: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    // Its class asks for the settings of a unified account, which this one is not.
    {
      path: /^\/api\/v3\/account\/settings$/,
      kinds: [],
      select: () => [],
      row: () => null,
      body: () => ({ code: '40084', msg: 'not a unified account' }),
    },
    {
      path: /^\/api\/v2\/spot\/trade\/fills$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 90,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        orderId: 'o',
        tradeId: `${id}`,
        orderType: 'limit',
        side: 'buy',
        priceAvg: PRICE,
        size: amount,
        amount: '1',
        feeDetail: { feeCoin: 'BTC', totalFee: '0' },
        tradeScope: 'taker',
        cTime: `${at}`,
      }),
      body: listed,
    },
    ...transfers(
      {
        deposit: /^\/api\/v2\/spot\/wallet\/deposit-records$/,
        withdrawal: /^\/api\/v2\/spot\/wallet\/withdrawal-records$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 100,
          days: 90,
          order: 'newest',
        }),
        body: listed,
      },
      (row) => ({
        orderId: `${row.id}`,
        tradeId: hash(row),
        coin: 'BTC',
        size: row.amount,
        status: row.isPending ? 'pending' : 'success',
        chain: 'BTC',
        toAddress: 'to',
        dest: 'on_chain',
        fee: '0',
        cTime: `${row.at}`,
      }),
    ),
  ],
}
