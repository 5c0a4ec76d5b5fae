import { byOffset, byTime, hash, number, PRICE, type Wire } from './wire.ts'

const pages = byOffset(
  { from: 'start_ts', to: 'end_ts', limit: 'page_size', most: 200, days: 91 },
  (params, limit) => number(params, 'page') * limit,
)
export const cryptocom: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/exchange\/v1\/private\/get-trades$/,
      kinds: ['fill'],
      // The end is excluded.
      select: byTime({
        from: 'start_time',
        to: 'end_time',
        limit: 'limit',
        most: 100,
        days: 1,
        order: 'newest',
        excludesEnd: true,
      }),
      row: ({ id, at, amount }) => ({
        account_id: 'a',
        journal_type: 'TRADING',
        side: 'BUY',
        instrument_name: 'BTC_USDT',
        fees: '0',
        trade_id: `${id}`,
        create_time: at,
        traded_price: PRICE,
        traded_quantity: amount,
        fee_instrument_name: 'BTC',
        order_id: 'o',
      }),
      body: (items) => ({ id: 1, code: 0, result: { data: items } }),
    },
    {
      path: /^\/exchange\/v1\/private\/get-deposit-history$/,
      kinds: ['deposit'],
      select: pages,
      row: (row) => ({
        currency: 'BTC',
        fee: 0,
        create_time: row.at,
        id: `${row.id}`,
        update_time: row.at,
        amount: Number(row.amount),
        address: 'to',
        status: row.isPending ? '0' : '1',
        txid: hash(row),
      }),
      body: (items) => ({ id: 1, code: 0, result: { deposit_list: items } }),
    },
    {
      path: /^\/exchange\/v1\/private\/get-withdrawal-history$/,
      kinds: ['withdrawal'],
      select: pages,
      row: (row) => ({
        currency: 'BTC',
        client_wid: '',
        fee: 0,
        create_time: row.at,
        id: `${row.id}`,
        update_time: row.at,
        amount: Number(row.amount),
        address: 'to',
        status: row.isPending ? '1' : '5',
        txid: hash(row),
        network_id: 'BTC',
      }),
      body: (items) => ({ id: 1, code: 0, result: { withdrawal_list: items } }),
    },
  ],
}
