import { fromId, iso, plain, signed, type Wire } from './wire.ts'

export const bitstamp: Wire = {
  market: ['btcusd', 'BTC/USD'],
  lists: [
    {
      path: /^\/api\/v2\/user_transactions\/$/,
      kinds: ['fill', 'deposit', 'withdrawal'],
      select: fromId({ id: 'since_id', limit: 'limit', most: 1_000 }),
      row: (row) => ({
        id: row.id,
        datetime: iso(row).replace('T', ' ').replace('Z', '000'),
        fee: '0.00',
        ...(row.kind === 'fill'
          ? { type: '2', order_id: 1, btc: row.amount, usd: '-1.00', btc_usd: 20000.5 }
          : { type: row.kind === 'deposit' ? '0' : '1', btc: signed(row), usd: 0, btc_usd: '0.00', eur: 0 }),
      }),
      body: plain,
    },
  ],
}
