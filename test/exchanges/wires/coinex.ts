import { byOffset, byTime, hash, PRICE, transfers, type Params, type Wire } from './wire.ts'

const pages = (params: Params, limit: number) => (Number(params['page'] ?? 1) - 1) * limit
export const coinex: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/v2\/spot\/user-deals$/,
      kinds: ['fill'],
      select: byTime({
        from: 'start_time',
        to: 'end_time',
        limit: 'limit',
        most: 1_000,
        usual: 10,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        amount,
        created_at: at,
        deal_id: id,
        margin_market: '',
        market: 'BTCUSDT',
        order_id: 1,
        price: PRICE,
        side: 'buy',
        fee: '0',
        fee_ccy: 'BTC',
        role: 'taker',
      }),
      body: (items) => ({ code: 0, message: 'OK', data: items, pagination: { has_next: false } }),
    },
    ...transfers(
      { deposit: /^\/v2\/assets\/deposit-history$/, withdrawal: /^\/v2\/assets\/withdraw$/ },
      {
        select: byOffset({ limit: 'limit', most: 100, usual: 10 }, pages),
        body: (items) => ({ code: 0, message: 'OK', data: items, paginatation: { has_next: false } }),
      },
      (row) => ({
        created_at: row.at,
        tx_id: hash(row),
        ccy: 'BTC',
        chain: 'BTC',
        amount: row.amount,
        actual_amount: row.amount,
        to_address: 'to',
        memo: '',
        remark: '',
        status: row.isPending ? 'processing' : 'finished',
        ...(row.kind === 'deposit'
          ? { deposit_id: row.id, deposit_method: 'ON_CHAIN' }
          : { withdraw_id: row.id, withdraw_method: 'ON_CHAIN', tx_fee: '0', fee_asset: 'BTC' }),
      }),
    ),
  ],
}
