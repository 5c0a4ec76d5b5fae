import { byTime, hash, plain, PRICE, type Wire } from './wire.ts'

export const poloniex: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  tickMs: { deposit: 1_000, withdrawal: 1_000 },
  lists: [
    {
      path: /^\/trades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 1_000,
        usual: 100,
        days: 31,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        id: `${id}`,
        symbol: 'BTC_USDT',
        accountType: 'SPOT',
        orderId: 'o',
        side: 'BUY',
        type: 'LIMIT',
        matchRole: 'TAKER',
        createTime: at,
        price: PRICE,
        quantity: amount,
        amount: '1',
        feeCurrency: 'BTC',
        feeAmount: '0',
        pageId: `${id}`,
      }),
      body: plain,
    },
    {
      path: /^\/wallets\/activity$/,
      kinds: ['deposit', 'withdrawal'],
      select: byTime({ from: 'start', to: 'end', unit: 1_000, most: Infinity, days: 181, order: 'newest' }),
      row: (row) => ({
        currency: 'BTC',
        address: 'to',
        amount: row.amount,
        txid: hash(row),
        timestamp: row.at / 1_000,
        status: row.isPending ? 'PENDING' : 'COMPLETED',
        ...(row.kind === 'deposit' ? { depositNumber: row.id } : { withdrawalRequestsId: row.id, fee: '0' }),
      }),
      body: (items) => {
        const is = (name: string) => items.filter((item) => name in (item as object))
        return { deposits: is('depositNumber'), withdrawals: is('withdrawalRequestsId') }
      },
    },
  ],
}
