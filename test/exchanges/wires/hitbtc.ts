import { byTime, hash, iso, plain, PRICE, type Wire } from './wire.ts'

export const hitbtc: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  marketInfo: { fee_currency: 'USDT' },
  lists: [
    {
      path: /^\/api\/3\/spot\/history\/trade$/,
      kinds: ['fill'],
      select: (rows, params) =>
        byTime({
          from: 'from',
          to: 'till',
          limit: 'limit',
          unit: 1,
          most: 1_000,
          usual: 100,
          order: 'newest',
        })(rows, {
          ...params,
          till: params['till'] && String(Date.parse(params['till'])),
        }),
      row: (row) => ({
        id: row.id,
        clientOrderId: 'c',
        orderId: 1,
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: row.amount,
        price: PRICE,
        fee: '0',
        timestamp: iso(row),
        taker: true,
      }),
      body: plain,
    },
    {
      path: /^\/api\/3\/wallet\/transactions$/,
      kinds: ['deposit', 'withdrawal'],
      select: (rows, params) => {
        const kind = params['types'] === 'WITHDRAW' ? 'withdrawal' : 'deposit'
        const page = byTime({
          from: 'from',
          to: 'till',
          limit: 'limit',
          unit: 'text',
          most: 1_000,
          usual: 100,
          order: 'newest',
        })
        return page(
          rows.filter((row) => row.kind === kind),
          params,
        )
      },
      row: (row) => ({
        id: row.id,
        created_at: iso(row),
        updated_at: iso(row),
        status: row.isPending ? 'PENDING' : 'SUCCESS',
        type: row.kind === 'deposit' ? 'DEPOSIT' : 'WITHDRAW',
        subtype: 'BLOCKCHAIN',
        native: { tx_id: `t${row.id}`, currency: 'BTC', amount: row.amount, hash: hash(row), address: 'to' },
      }),
      body: plain,
    },
  ],
}
