import {
  backFromId,
  byOffset,
  byTime,
  fromId,
  number,
  type AccountRow,
  type Wire,
  type WireList,
} from './wire.ts'

// The other exchanges, as their documentation describes them.

const PRICE = '20000.5'
const hash = ({ id }: AccountRow) => `0x${id.toString(16).padStart(64, '0')}`
const iso = ({ at }: AccountRow) => new Date(at).toISOString()
const signed = ({ kind, amount }: AccountRow) => (kind === 'withdrawal' ? `-${amount}` : amount)
const plain = (items: unknown[]) => items

/** Deposits and withdrawals at two paths that work alike. */
const transfers = (
  paths: { deposit: RegExp; withdrawal: RegExp },
  shared: Pick<WireList, 'select' | 'body'>,
  row: WireList['row'],
): WireList[] =>
  (['deposit', 'withdrawal'] as const).map((kind) => ({ ...shared, path: paths[kind], kinds: [kind], row }))

const balances = (path: RegExp, body: unknown): WireList => ({
  path,
  kinds: [],
  select: () => [],
  row: () => null,
  body: () => body,
})

const mexc: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v3\/myTrades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 31,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        id: `${id}`,
        orderId: 'o',
        price: PRICE,
        qty: amount,
        quoteQty: '1',
        commission: '0',
        commissionAsset: 'USDT',
        time: at,
        isBuyer: true,
        isMaker: false,
      }),
      body: plain,
    },
    ...transfers(
      {
        deposit: /^\/api\/v3\/capital\/deposit\/hisrec$/,
        withdrawal: /^\/api\/v3\/capital\/withdraw\/history$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 1_000,
          days: 7,
          order: 'newest',
        }),
        body: plain,
      },
      (row) =>
        row.kind === 'deposit'
          ? {
              amount: row.amount,
              coin: 'BTC',
              network: 'BTC',
              status: row.isPending ? 4 : 5,
              address: 'to',
              txId: hash(row),
              insertTime: row.at,
            }
          : {
              id: `w${row.id}`,
              amount: row.amount,
              transactionFee: '0',
              coin: 'BTC',
              network: 'BTC',
              status: row.isPending ? 4 : 7,
              address: 'to',
              txId: hash(row),
              applyTime: row.at,
            },
    ),
  ],
}

const htx: Wire = {
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

const cryptocomPages = byOffset(
  { from: 'start_ts', to: 'end_ts', limit: 'page_size', most: 200, days: 91 },
  (params, limit) => number(params, 'page') * limit,
)
const cryptocom: Wire = {
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
      select: cryptocomPages,
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
      select: cryptocomPages,
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

const bitfinex: Wire = {
  market: ['tBTCUSD', 'BTC/USD'],
  lists: [
    {
      path: /^\/v2\/auth\/r\/trades\/hist$/,
      kinds: ['fill'],
      select: byTime({ from: 'start', to: 'end', limit: 'limit', most: 2_500, order: 'newest' }),
      row: ({ id, at, amount }) => [
        id,
        'tBTCUSD',
        at,
        1,
        Number(amount),
        20000.5,
        'EXCHANGE LIMIT',
        20000.5,
        1,
        0,
        'USD',
      ],
      body: plain,
    },
    {
      path: /^\/v2\/auth\/r\/movements\/hist$/,
      kinds: ['deposit', 'withdrawal'],
      select: byTime({ from: 'start', to: 'end', limit: 'limit', most: 1_000, order: 'newest' }),
      row: (row) => [
        `${row.id}`,
        'BTC',
        'BITCOIN',
        null,
        null,
        row.at,
        row.at,
        null,
        null,
        row.isPending ? 'PENDING' : 'COMPLETED',
        null,
        null,
        Number(signed(row)),
        0,
        null,
        null,
        'to',
        null,
        null,
        null,
        hash(row),
        null,
      ],
      body: plain,
    },
  ],
}

const bitstamp: Wire = {
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

const gemini: Wire = {
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

const whitebit: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  tickMs: { deposit: 1_000, withdrawal: 1_000 },
  lists: [
    balances(/^\/api\/v4\/main-account\/balance$/, {
      BTC: { main_balance: '1.5' },
      ETH: { main_balance: '0' },
    }),
    balances(/^\/api\/v4\/trade-account\/balance$/, { BTC: { available: '0.25', freeze: '0.125' } }),
    {
      path: /^\/api\/v4\/trade-account\/executed-history$/,
      kinds: ['fill'],
      select: byOffset(
        { from: 'startDate', to: 'endDate', limit: 'limit', unit: 1_000, most: 100, usual: 50 },
        (params) => {
          if (number(params, 'offset') > 10_000) throw new Error('an offset above 10,000')
          return number(params, 'offset')
        },
      ),
      row: ({ id, at, amount }) => ({
        id,
        clientOrderId: '',
        time: at / 1_000,
        side: 'buy',
        role: 2,
        amount,
        price: PRICE,
        deal: '1',
        fee: '0',
        orderId: 1,
        feeAsset: 'USDT',
      }),
      body: (items) => (items.length > 0 ? { BTC_USDT: items } : []),
    },
    {
      path: /^\/api\/v4\/main-account\/history$/,
      kinds: ['deposit', 'withdrawal'],
      select: (rows, params) => {
        const kind = params['transactionMethod'] === '2' ? 'withdrawal' : 'deposit'
        const page = byOffset({ limit: 'limit', most: 100 }, (given) => number(given, 'offset'))
        return page(
          rows.filter((row) => row.kind === kind),
          params,
        )
      },
      row: (row) => ({
        address: 'to',
        uniqueId: null,
        transactionId: `t${row.id}`,
        createdAt: row.at / 1_000,
        currency: 'Bitcoin',
        ticker: 'BTC',
        method: row.kind === 'deposit' ? 1 : 2,
        amount: row.amount,
        fee: '0',
        status: row.isPending ? 15 : row.kind === 'deposit' ? 3 : 7,
        network: null,
        transactionHash: hash(row),
      }),
      body: (records) => ({ limit: 100, offset: 0, records, total: 0 }),
    },
  ],
}

const bitvavo: Wire = {
  market: ['BTC-EUR', 'BTC/EUR'],
  lists: [
    {
      path: /^\/v2\/trades$/,
      kinds: ['fill'],
      select: byTime({ from: 'start', to: 'end', limit: 'limit', most: 1_000, usual: 500, order: 'newest' }),
      row: ({ id, at, amount }) => ({
        id: `f${id}`,
        orderId: 'o',
        timestamp: at,
        market: 'BTC-EUR',
        side: 'buy',
        amount,
        price: PRICE,
        taker: true,
        fee: '0',
        feeCurrency: 'EUR',
        settled: true,
      }),
      body: plain,
    },
    ...transfers(
      { deposit: /^\/v2\/depositHistory$/, withdrawal: /^\/v2\/withdrawalHistory$/ },
      {
        select: byTime({
          from: 'start',
          to: 'end',
          limit: 'limit',
          most: 1_000,
          usual: 500,
          order: 'newest',
        }),
        body: plain,
      },
      // Transfers of euros have no hash.
      (row) => ({
        timestamp: row.at,
        symbol: row.id % 2 ? 'BTC' : 'EUR',
        amount: row.amount,
        fee: '0',
        status: row.isPending ? 'awaiting_processing' : 'completed',
        ...(row.id % 2 === 1 && !row.isPending && { txId: hash(row) }),
        ...(row.kind === 'withdrawal' && { address: 'to' }),
      }),
    ),
  ],
}

const pages = (params: Record<string, string | undefined>, limit: number) =>
  (Number(params['page'] ?? 1) - 1) * limit
const coinex: Wire = {
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

const poloniex: Wire = {
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

const hitbtc: Wire = {
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

const xt: Wire = {
  market: ['btc_usdt', 'BTC/USDT'],
  lists: [
    {
      path: /^\/v4\/trade$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        usual: 20,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'btc_usdt',
        tradeId: `${id}`,
        orderId: '1',
        orderSide: 'BUY',
        orderType: 'LIMIT',
        bizType: 'SPOT',
        time: at,
        price: PRICE,
        quantity: amount,
        quoteQty: '1',
        baseCurrency: 'btc',
        quoteCurrency: 'usdt',
        fee: '0',
        feeCurrency: 'btc',
        takerMaker: 'TAKER',
      }),
      body: (items) => ({ rc: 0, mc: 'SUCCESS', ma: [], result: { hasPrev: false, hasNext: false, items } }),
    },
    ...transfers(
      { deposit: /^\/v4\/deposit\/history$/, withdrawal: /^\/v4\/withdraw\/history$/ },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 200,
          usual: 10,
          order: 'newest',
        }),
        body: (items) => ({
          rc: 0,
          mc: 'SUCCESS',
          ma: [],
          result: { hasPrev: false, hasNext: false, items },
        }),
      },
      (row) => ({
        id: row.id,
        currency: 'btc',
        chain: 'Bitcoin',
        memo: '',
        status: row.isPending ? 'PENDING' : 'SUCCESS',
        amount: row.amount,
        confirmations: 1,
        transactionId: hash(row),
        address: 'to',
        createdTime: row.at,
        ...(row.kind === 'deposit' ? { fromAddr: 'from' } : { fee: '0' }),
      }),
    ),
  ],
}

export const OTHERS: Record<string, Wire> = {
  mexc,
  htx,
  cryptocom,
  bitfinex,
  bitstamp,
  gemini,
  whitebit,
  bitvavo,
  coinex,
  poloniex,
  hitbtc,
  xt,
}
