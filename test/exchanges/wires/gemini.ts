import { byTime, hash, plain, PRICE, type Wire } from './wire.ts'

export const gemini: Wire = {
  market: ['btcusd', 'BTC/USD'],
  apiKey: 'account-key',
  lists: [
    {
      path: /^\/v1\/mytrades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'timestamp',
        limit: 'limit_trades',
        unit: 1_000,
        most: 500,
        usual: 50,
        order: 'oldest',
      }),
      row: ({ id, at, amount }) => ({
        price: PRICE,
        amount,
        timestamp: Math.floor(at / 1_000),
        timestampms: at,
        type: 'Buy',
        aggressor: true,
        fee_currency: 'USD',
        fee_amount: '0',
        tid: id,
        order_id: '1',
        exchange: 'gemini',
        symbol: 'BTCUSD',
      }),
      body: plain,
    },
    {
      path: /^\/v1\/transfers$/,
      kinds: ['deposit', 'withdrawal'],
      select: byTime({ from: 'timestamp', limit: 'limit_transfers', most: 50, usual: 10, order: 'oldest' }),
      row: (row) => ({
        type: row.kind === 'deposit' ? 'Deposit' : 'Withdrawal',
        status: row.isPending ? 'Advanced' : 'Complete',
        timestampms: row.at,
        eid: row.id,
        currency: 'BTC',
        amount: row.amount,
        txHash: hash(row),
        destination: 'to',
      }),
      body: plain,
      isFinal: true,
    },
  ],
}
