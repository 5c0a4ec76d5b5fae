import { byTime, fromId, iso, PRICE, type Wire } from './wire.ts'

export const coinbase: Wire = {
  market: ['BTC-USD', 'BTC/USD'],
  lists: [
    {
      path: /^\/api\/v3\/brokerage\/orders\/historical\/fills$/,
      kinds: ['fill'],
      select: byTime({
        from: 'start_sequence_timestamp',
        to: 'end_sequence_timestamp',
        limit: 'limit',
        unit: 'text',
        most: 250,
        order: 'newest',
      }),
      row: (row) => ({
        entry_id: `e${row.id}`,
        trade_id: `t${row.id}`,
        order_id: 'o',
        trade_time: iso(row),
        trade_type: 'FILL',
        price: PRICE,
        size: row.amount,
        commission: '0',
        product_id: 'BTC-USD',
        sequence_timestamp: iso(row),
        side: 'BUY',
      }),
      body: (fills) => ({ fills, cursor: '' }),
    },
    {
      path: /^\/v2\/accounts\/123\/transactions$/,
      kinds: ['deposit', 'withdrawal'],
      select: fromId({
        id: 'starting_after',
        limit: 'limit',
        most: 100,
        excludes: true,
        idOf: (id) => Number(id.slice(2)),
      }),
      row: (row) => ({
        id: `tx${row.id}`,
        type: 'send',
        status: 'completed',
        created_at: iso(row),
        resource_path: '/v2/accounts/123/transactions/x',
        amount: { amount: row.kind === 'deposit' ? row.amount : `-${row.amount}`, currency: 'BTC' },
      }),
      body: (items) => ({ pagination: {}, data: items }),
    },
  ],
}
