import { byTime, hash, plain, PRICE, transfers, type Wire } from './wire.ts'

export const bitvavo: Wire = {
  market: ['BTC-EUR', 'BTC/EUR'],
  lists: [
    {
      path: /^\/v2\/trades$/,
      kinds: ['fill'],
      select: byTime({ from: 'start', to: 'end', limit: 'limit', most: 1_000, usual: 500, order: 'newest' }),
      row: ({ id, at, amount }) => ({
        id: `f${id}`,
        orderId: 'o',
        timestamp: at,
        market: 'BTC-EUR',
        side: 'buy',
        amount,
        price: PRICE,
        taker: true,
        fee: '0',
        feeCurrency: 'EUR',
        settled: true,
      }),
      body: plain,
    },
    ...transfers(
      { deposit: /^\/v2\/depositHistory$/, withdrawal: /^\/v2\/withdrawalHistory$/ },
      {
        select: byTime({
          from: 'start',
          to: 'end',
          limit: 'limit',
          most: 1_000,
          usual: 500,
          order: 'newest',
        }),
        body: plain,
      },
      // Transfers of euros have no hash.
      (row) => ({
        timestamp: row.at,
        symbol: row.id % 2 ? 'BTC' : 'EUR',
        amount: row.amount,
        fee: '0',
        status: row.isPending ? 'awaiting_processing' : 'completed',
        ...(row.id % 2 === 1 && !row.isPending && { txId: hash(row) }),
        ...(row.kind === 'withdrawal' && { address: 'to' }),
      }),
    ),
  ],
}
