import { byOffset, byTime, fromId, number, type AccountRow, type Wire, type WireList } from './wire.ts'

// The exchanges that were connected first, as their documentation describes them.

const PRICE = '20000.5'
const iso = ({ at }: AccountRow) => new Date(at).toISOString()
const spaced = (row: AccountRow) => iso(row).replace('T', ' ').slice(0, 19)
const hash = ({ id }: AccountRow) => `0x${id.toString(16).padStart(64, '0')}`

/** Deposits and withdrawals at two paths that work alike. */
const transfers = (
  paths: { deposit: RegExp; withdrawal: RegExp },
  shared: Pick<WireList, 'select' | 'body'>,
  row: WireList['row'],
): WireList[] =>
  (['deposit', 'withdrawal'] as const).map((kind) => ({ ...shared, path: paths[kind], kinds: [kind], row }))

const data = (code: string) => (items: unknown[]) => ({ code, msg: '', data: items })

const binance: Wire = {
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

const coinbase: Wire = {
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

const krakenRows = { from: 'start', to: 'end', unit: 1_000, most: 50 } as const
const krakenSkip = (params: Record<string, string | undefined>) => number(params, 'ofs')
const keyed = (items: unknown[]) => Object.fromEntries(items as [string, unknown][])

const kraken: Wire = {
  market: ['XXBTZUSD', 'BTC/USD'],
  lists: [
    {
      path: /^\/0\/private\/TradesHistory$/,
      kinds: ['fill'],
      select: byOffset(krakenRows, krakenSkip),
      row: ({ id, at, amount }) => [
        `T${id}`,
        {
          ordertxid: 'O',
          pair: 'XXBTZUSD',
          time: at / 1_000,
          type: 'buy',
          ordertype: 'limit',
          price: PRICE,
          cost: '1',
          fee: '0',
          vol: amount,
          margin: '0',
        },
      ],
      body: (items) => ({ error: [], result: { trades: keyed(items), count: items.length } }),
    },
    {
      path: /^\/0\/private\/Ledgers$/,
      kinds: ['deposit', 'withdrawal'],
      select: byOffset(krakenRows, krakenSkip),
      row: ({ id, at, amount, kind }) => [
        `L${id}`,
        {
          refid: 'R',
          time: at / 1_000,
          type: kind,
          subtype: '',
          aclass: 'currency',
          asset: 'XXBT',
          amount: kind === 'deposit' ? amount : `-${amount}`,
          fee: '0',
          balance: '1',
        },
      ],
      body: (items) => ({ error: [], result: { ledger: keyed(items), count: items.length } }),
      isFinal: true,
    },
  ],
}

const okx: Wire = {
  market: ['BTC-USDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v5\/trade\/fills-history$/,
      kinds: ['fill'],
      select: byTime({ from: 'begin', to: 'end', limit: 'limit', most: 100, days: 91, order: 'newest' }),
      row: ({ id, at, amount }) => ({
        instType: 'SPOT',
        instId: 'BTC-USDT',
        tradeId: `${id}`,
        ordId: 'o',
        billId: `${id}`,
        fillPx: PRICE,
        fillSz: amount,
        side: 'buy',
        execType: 'T',
        feeCcy: 'BTC',
        fee: '0',
        ts: `${at}`,
      }),
      body: data('0'),
    },
    ...transfers(
      {
        deposit: /^\/api\/v5\/asset\/deposit-history$/,
        withdrawal: /^\/api\/v5\/asset\/withdrawal-history$/,
      },
      // Both ends are excluded: "records earlier than", "records newer than".
      {
        select: byTime({
          from: 'before',
          to: 'after',
          limit: 'limit',
          most: 100,
          order: 'newest',
          excludesStart: true,
          excludesEnd: true,
        }),
        body: data('0'),
      },
      (row) => ({
        ccy: 'BTC',
        chain: 'BTC-Bitcoin',
        amt: row.amount,
        ts: `${row.at}`,
        txId: hash(row),
        to: 'to',
        fee: '0',
        ...(row.kind === 'deposit' ? { depId: `${row.id}` } : { wdId: `${row.id}` }),
        state: row.isPending ? '0' : '2',
      }),
    ),
  ],
}

const bybit: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/v5\/execution\/list$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 7,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        execId: `e${id}`,
        orderId: 'o',
        side: 'Buy',
        execPrice: PRICE,
        execQty: amount,
        execValue: '1',
        execFee: '0',
        feeRate: '0',
        feeCurrency: 'BTC',
        execType: 'Trade',
        isMaker: false,
        execTime: `${at}`,
      }),
      body: (list) => ({ retCode: 0, retMsg: 'OK', result: { category: 'spot', nextPageCursor: '', list } }),
    },
    ...transfers(
      {
        deposit: /^\/v5\/asset\/deposit\/query-record$/,
        withdrawal: /^\/v5\/asset\/withdraw\/query-record$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 50,
          days: 30,
          order: 'newest',
        }),
        body: (rows) => ({ retCode: 0, retMsg: 'success', result: { rows, nextPageCursor: '' } }),
      },
      (row) =>
        row.kind === 'deposit'
          ? {
              coin: 'BTC',
              chain: 'BTC',
              amount: row.amount,
              txID: hash(row),
              status: row.isPending ? 1 : 3,
              toAddress: 'to',
              depositFee: '',
              successAt: `${row.at}`,
            }
          : {
              withdrawId: `${row.id}`,
              coin: 'BTC',
              chain: 'BTC',
              amount: row.amount,
              txID: hash(row),
              status: row.isPending ? 'Pending' : 'success',
              withdrawFee: '0',
              toAddress: 'to',
              createTime: `${row.at}`,
            },
    ),
  ],
}

const bitget: Wire = {
  market: ['BTCUSDT', 'BTC/USDT'],
  lists: [
    // Its class asks for the settings of a unified account, which this one is not.
    {
      path: /^\/api\/v3\/account\/settings$/,
      kinds: [],
      select: () => [],
      row: () => null,
      body: () => ({ code: '40084', msg: 'not a unified account' }),
    },
    {
      path: /^\/api\/v2\/spot\/trade\/fills$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startTime',
        to: 'endTime',
        limit: 'limit',
        most: 100,
        days: 90,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTCUSDT',
        orderId: 'o',
        tradeId: `${id}`,
        orderType: 'limit',
        side: 'buy',
        priceAvg: PRICE,
        size: amount,
        amount: '1',
        feeDetail: { feeCoin: 'BTC', totalFee: '0' },
        tradeScope: 'taker',
        cTime: `${at}`,
      }),
      body: data('00000'),
    },
    ...transfers(
      {
        deposit: /^\/api\/v2\/spot\/wallet\/deposit-records$/,
        withdrawal: /^\/api\/v2\/spot\/wallet\/withdrawal-records$/,
      },
      {
        select: byTime({
          from: 'startTime',
          to: 'endTime',
          limit: 'limit',
          most: 100,
          days: 90,
          order: 'newest',
        }),
        body: data('00000'),
      },
      (row) => ({
        orderId: `${row.id}`,
        tradeId: hash(row),
        coin: 'BTC',
        size: row.amount,
        status: row.isPending ? 'pending' : 'success',
        chain: 'BTC',
        toAddress: 'to',
        dest: 'on_chain',
        fee: '0',
        cTime: `${row.at}`,
      }),
    ),
  ],
}

const kucoin: Wire = {
  market: ['BTC-USDT', 'BTC/USDT'],
  lists: [
    {
      path: /^\/api\/v1\/fills$/,
      kinds: ['fill'],
      select: byTime({
        from: 'startAt',
        to: 'endAt',
        limit: 'pageSize',
        most: 500,
        usual: 50,
        days: 7,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        symbol: 'BTC-USDT',
        tradeId: `${id}`,
        orderId: 'o',
        side: 'buy',
        price: PRICE,
        size: amount,
        funds: '1',
        fee: '0',
        feeCurrency: 'USDT',
        liquidity: 'taker',
        tradeType: 'TRADE',
        createdAt: at,
      }),
      body: (items) => ({ code: '200000', data: { currentPage: 1, items } }),
    },
    ...transfers(
      { deposit: /^\/api\/v1\/deposits$/, withdrawal: /^\/api\/v1\/withdrawals$/ },
      {
        select: byTime({
          from: 'startAt',
          to: 'endAt',
          limit: 'pageSize',
          most: 500,
          usual: 50,
          order: 'newest',
        }),
        body: (items) => ({ code: '200000', data: { currentPage: 1, items } }),
      },
      (row) => ({
        currency: 'BTC',
        amount: row.amount,
        fee: '0',
        address: 'to',
        isInner: false,
        walletTxId: hash(row),
        createdAt: row.at,
        status: row.isPending ? 'PROCESSING' : 'SUCCESS',
        ...(row.kind === 'withdrawal' && { id: `${row.id}` }),
      }),
    ),
  ],
}

const gate: Wire = {
  market: ['BTC_USDT', 'BTC/USDT'],
  tickMs: { deposit: 1_000, withdrawal: 1_000 },
  lists: [
    {
      path: /^\/api\/v4\/spot\/my_trades$/,
      kinds: ['fill'],
      select: byTime({
        from: 'from',
        to: 'to',
        limit: 'limit',
        unit: 1_000,
        most: 1_000,
        days: 30,
        order: 'newest',
      }),
      row: ({ id, at, amount }) => ({
        id: `${id}`,
        create_time: `${Math.floor(at / 1_000)}`,
        create_time_ms: `${at}.123`,
        currency_pair: 'BTC_USDT',
        side: 'buy',
        role: 'taker',
        amount,
        price: PRICE,
        order_id: 'o',
        fee: '0',
        fee_currency: 'BTC',
        point_fee: '0',
        gt_fee: '0',
      }),
      body: (items) => items,
    },
    ...transfers(
      { deposit: /^\/api\/v4\/wallet\/deposits$/, withdrawal: /^\/api\/v4\/wallet\/withdrawals$/ },
      {
        select: byTime({
          from: 'from',
          to: 'to',
          limit: 'limit',
          unit: 1_000,
          most: 500,
          days: 30,
          order: 'newest',
        }),
        body: (items) => items,
      },
      (row) => ({
        id: `${row.kind[0]}${row.id}`,
        timestamp: `${row.at / 1_000}`,
        currency: 'BTC',
        address: 'to',
        txid: hash(row),
        amount: row.amount,
        fee: '0',
        chain: 'BTC',
        status: row.isPending ? 'PEND' : 'DONE',
      }),
    ),
  ],
}

export const LARGEST: Record<string, Wire> = { binance, coinbase, kraken, okx, bybit, bitget, kucoin, gate }
