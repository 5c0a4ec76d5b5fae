import { byTime, hash, PRICE, transfers, type Wire } from './wire.ts'

export const gate: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  tickMs: { deposit: 1_000, withdrawal: 1_000 },
  lists: [
    {
      path: /^\/api\/v4\/spot\/my_trades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'from',
        to: 'to',
        limit: 'limit',
        unit: 1_000,
        most: 1_000,
        days: 30,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        id: `${id}`,
        create_time: `${Math.floor(at / 1_000)}`,
        create_time_ms: `${at}.123`,
        currency_pair: 'BTC_USDT',
        side: 'buy',
        role: 'taker',
        amount,
        price: PRICE,
        order_id: 'o',
        fee: '0',
        fee_currency: 'BTC',
        point_fee: '0',
        gt_fee: '0',
      }),
      body: (items) => items,
    },
    ...transfers(
      { deposit: /^\/api\/v4\/wallet\/deposits$/, withdrawal: /^\/api\/v4\/wallet\/withdrawals$/ },
      {
        select: byTime({
          from: 'from',
          to: 'to',
          limit: 'limit',
          unit: 1_000,
          most: 500,
          days: 30,
          order: 'newest',
        }),
        body: (items) => items,
      },
      (row) => ({
        id: `${row.kind[0]}${row.id}`,
        timestamp: `${row.at / 1_000}`,
        currency: 'BTC',
        address: 'to',
        txid: hash(row),
        amount: row.amount,
        fee: '0',
        chain: 'BTC',
        status: row.isPending ? 'PEND' : 'DONE',
      }),
    ),
  ],
}
