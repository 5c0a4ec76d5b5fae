import { backFromId, byTime, hash, PRICE, type Wire } from './wire.ts'

export const htx: Wire = {
  market: ['btcusdt', 'BTC/USDT'],
  options: { networkNamesByChainIds: { btc: 'BTC' } },
  lists: [
    {
      path: /^\/v1\/order\/matchresults$/,
      kinds: ['fill'],
      select: byTime({
        from: 'start-time',
        to: 'end-time',
        limit: 'size',
        most: 500,
        days: 2,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'btcusdt',
        'fee-currency': 'btc',
        'filled-fees': '0',
        source: 'spot-api',
        id,
        type: 'buy-limit',
        'order-id': 1,
        'filled-points': '0.0',
        'fee-deduct-currency': '',
        'filled-amount': amount,
        price: PRICE,
        'created-at': at,
        'match-id': 1,
        role: 'maker',
        'trade-id': id,
      }),
      body: (items) => ({ status: 'ok', data: items }),
    },
    // One path for both, by type.
    {
      path: /^\/v1\/query\/deposit-withdraw$/,
      kinds: ['deposit', 'withdrawal'],
      select: (rows, params) => {
        const kind = params['type'] === 'withdraw' ? 'withdrawal' : 'deposit'
        const ofKind = rows.filter((row) => row.kind === kind)
        return backFromId({ id: 'from', limit: 'size', most: 100 })(ofKind, params)
      },
      row: (row) => ({
        id: row.id,
        type: row.kind === 'deposit' ? 'deposit' : 'withdraw',
        'sub-type': 'NORMAL',
        currency: 'btc',
        chain: 'btc',
        'tx-hash': hash(row),
        amount: row.amount,
        address: 'to',
        'address-tag': '',
        fee: 0,
        state: row.isPending ? 'confirming' : row.kind === 'deposit' ? 'safe' : 'confirmed',
        'created-at': row.at,
        'updated-at': row.at,
      }),
      body: (items) => ({ status: 'ok', data: items }),
    },
  ],
}
