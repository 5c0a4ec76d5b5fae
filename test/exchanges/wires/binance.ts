import { byTime, fromId, hash, iso, PRICE, type AccountRow, type Wire } from './wire.ts'

const spaced = (row: AccountRow) => iso(row).replace('T', ' ').slice(0, 19)

export const binance: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  tickMs: { withdrawal: 1_000 },
  lists: [
    {
      path: /^\/api\/v3\/myTrades$/,
      kinds: ['fill'],
      select: fromId({ id: 'fromId', limit: 'limit', most: 1_000 }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        id,
        orderId: id,
        price: PRICE,
        qty: amount,
        commission: '0',
        commissionAsset: 'BNB',
        time: at,
        isBuyer: true,
        isMaker: false,
      }),
      body: (items) => items,
    },
    {
      path: /^\/sapi\/v1\/capital\/deposit\/hisrec$/,
      kinds: ['deposit'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 1_000,
        days: 90,
        order: 'newest',
      }),
      row: (row) => ({
        id: `${row.id}`,
        amount: row.amount,
        coin: 'BTC',
        network: 'BTC',
        status: row.isPending ? 0 : 1,
        address: 'to',
        txId: hash(row),
        insertTime: row.at,
        transferType: 0,
      }),
      body: (items) => items,
    },
    {
      path: /^\/sapi\/v1\/capital\/withdraw\/history$/,
      kinds: ['withdrawal'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 1_000,
        days: 90,
        order: 'newest',
      }),
      row: (row) => ({
        id: `w${row.id}`,
        amount: row.amount,
        transactionFee: '0',
        coin: 'BTC',
        status: row.isPending ? 4 : 6,
        address: 'to',
        txId: hash(row),
        applyTime: spaced(row),
        network: 'BTC',
      }),
      body: (items) => items,
    },
    {
      path: /^\/sapi\/v1\/asset\/dribblet$/,
      kinds: ['dust'],
      select: byTime({ from: 'startTime', to: 'endTime', most: 100, days: 90, order: 'newest' }),
      row: ({ id, at, amount }) => ({
        transId: id,
        operateTime: at,
        userAssetDribbletDetails: [
          {
            transId: id,
            serviceChargeAmount: '0',
            amount,
            operateTime: at,
            transferedAmount: '1',
            fromAsset: 'ETH',
          },
        ],
      }),
      body: (items) => ({ total: items.length, userAssetDribblets: items }),
    },
  ],
}
