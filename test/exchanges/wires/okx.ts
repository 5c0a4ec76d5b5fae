import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

const listed = (data: unknown[]) => ({ code: '0', msg: '', data })

export const okx: Wire = {
  market: ['BTC-USDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v5\/trade\/fills-history$/,
      kinds: ['fill'],
      select: byTime({ from: 'begin', to: 'end', limit: 'limit', most: 100, days: 91, order: 'newest' }),
      row: ({ id, at, amount }) => ({
        instType: 'SPOT',
        instId: 'BTC-USDT',
        tradeId: `${id}`,
        ordId: 'o',
        billId: `${id}`,
        fillPx: PRICE,
        fillSz: amount,
        side: 'buy',
        execType: 'T',
        feeCcy: 'BTC',
        fee: '0',
        ts: `${at}`,
      }),
      body: listed,
    },
    ...transfers(
      {
        deposit: /^\/api\/v5\/asset\/deposit-history$/,
        withdrawal: /^\/api\/v5\/asset\/withdrawal-history$/,
      },
      // Both ends are excluded: "records earlier than", "records newer than".
      {
        select: byTime({
          from: 'before',
          to: 'after',
          limit: 'limit',
          most: 100,
          order: 'newest',
          excludesStart: true,
          excludesEnd: true,
        }),
        body: listed,
      },
      (row) => ({
        ccy: 'BTC',
        chain: 'BTC-Bitcoin',
        amt: row.amount,
        ts: `${row.at}`,
        txId: hash(row),
        to: 'to',
        fee: '0',
        ...(row.kind === 'deposit' ? { depId: `${row.id}` } : { wdId: `${row.id}` }),
        state: row.isPending ? '0' : '2',
      }),
    ),
  ],
}
