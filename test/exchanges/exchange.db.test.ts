import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { getExchangeChart } from '../../api/exchanges/get-chart.ts'
import { getExchangeStatus } from '../../api/exchanges/get-status.ts'
import { getExchangeSupport } from '../../api/exchanges/get-support.ts'
import { getExchangeTransactions } from '../../api/exchanges/get-transactions.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { foldBook } from '../pnl/law-three.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { outboxOf } from '../setup/wallet-factories.ts'

// The endpoints on rows whose figures can be checked by hand, and all kinds of bad input. No worker runs.

const database = await testDatabase()
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const publicKey = sealingPublicKey(createSealingKey())
const vault = createVault({ pool: meter.pool, publicKey, waitMs: 200 })
const NOW = new Date('2026-03-10T12:00:00Z')
const api = await startApi({ database, routes, overrides: { vault, now: () => NOW } })
const { key, accountId } = await api.newAccount()
const ID = '01990000-0000-7000-8000-000000000001'
const at = (text: string) => new Date(`2026-03-${text}Z`)

beforeAll(async () => {
  const hours = (usd: Record<string, string>) =>
    Object.entries(usd).map(([time, price]) => [at(time), price] as const)
  for (const [id, symbol, priceUsd, rank] of [
    ['bitcoin', 'btc', '60000', 1],
    ['ethereum', 'eth', '3000', 2],
    ['tether', 'usdt', '1', 3],
  ] as const)
    await insertCoin(api.owner, { id, symbol, rank, priceUsd, at: NOW, isStable: id === 'tether' })
  const all = { bitcoin: '50000', ethereum: '2500', tether: '1' }
  for (const [coinId, usd] of Object.entries(all))
    await insertPrices(api.owner, {
      coinId,
      resolution: 'hour',
      points: hours({ '01T00:00:00': usd, '05T10:00:00': coinId === 'bitcoin' ? '55000' : usd }),
    })
  await query(
    database.ownerUrl,
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at, covered_to)
     values ($1, $2, 'binance', $3, 1, 1, $4, $4)`,
    [ID, accountId, createHash('sha256').update('x').digest(), at('09T00:00:00')],
  )
  await query(
    database.ownerUrl,
    `insert into exchange_assets (venue, asset, coin_id, currency, source, fetched_at) values
     ('binance', 'BTC', 'bitcoin', null, 'symbol', now()), ('binance', 'USDT', 'tether', null, 'symbol', now()),
     ('binance', 'EUR', null, 'EUR', 'symbol', now()), ('binance', 'XYZ', null, null, 'symbol', now())`,
  )
  await query(
    database.ownerUrl,
    `insert into exchange_transactions (connection_id, kind, key, at, status, type, symbol, asset, amount, quote_asset,
       quote_amount, fee_asset, fee_amount, network, address, tx_hash, source, fetched_at)
     select $1::uuid, v.*, 'test', now() from (values
       ('deposit', 'd1', '2026-03-02T00:00:00Z'::timestamptz, 'ok', 'deposit', null, 'USDT', 10000::numeric, null, null::numeric,
        null, null::numeric, 'ETH', '0xabc', '0xhash'),
       ('fill', 'BTC/USDT:1', '2026-03-03T00:00:00Z', 'ok', 'executed', 'BTC/USDT', 'BTC', 0.1, 'USDT', -5000, 'USDT', 5, null, null, null),
       ('fill', 'BTC/USDT:2', '2026-03-06T00:00:00Z', 'ok', 'executed', 'BTC/USDT', 'BTC', -0.04, 'USDT', 2200, 'BTC', 0.0001, null, null, null),
       ('deposit', 'd2', '2026-03-07T00:00:00Z', 'ok', 'deposit', null, 'XYZ', 7, null, null, null, null, null, null, null),
       ('withdrawal', 'w1', '2026-03-08T00:00:00Z', 'pending', 'withdraw', null, 'BTC', -0.01, null, null, null, null, 'BTC', 'bc1q', null)
     ) v`,
    [ID],
  )
  await query(
    database.ownerUrl,
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at) values
     ($1, 'BTC', 0.0599, 'test', now()), ($1, 'USDT', 7195, 'test', now()), ($1, 'XYZ', 7, 'test', now())`,
    [ID],
  )
  await deriveLegs(ingest.pool, { connectionId: ID, statedAt: at('09T00:00:00') })
  const book = { connectionId: ID }
  await recomputeBook({ pool: ingest.pool, book, nowMs: NOW.getTime() })
  await foldBook({ connection: ingest, book, nowMs: NOW.getTime() })
  await query(
    database.ownerUrl,
    `update exchange_transactions set identified = asset <> 'XYZ' where connection_id = $1`,
    [ID],
  )
  return async () => Promise.all([meter.close(), ingest.close()])
})

describe('GET /exchange/support', () => {
  test('lists all exchanges, none less than before, with the fields that each requires', async () => {
    const { body, credits } = await endpoint(api, { route: getExchangeSupport, key })('/exchange/support')
    expect(credits).toBe(1)
    expect(body.map(({ connectionId }: { connectionId: string }) => connectionId)).toEqual([
      'binance',
      'coinbase',
      'kraken',
      'okx',
      'bybit',
      'bitget',
      'kucoin',
      'gate',
      'mexc',
      'htx',
      'cryptocom',
      'bitfinex',
      'bitstamp',
      'gemini',
      'whitebit',
      'bitvavo',
      'coinex',
      'xt',
      'poloniex',
      'hitbtc',
    ])
    expect(body[0]).toEqual({
      connectionId: 'binance',
      name: 'Binance',
      icon: 'https://www.binance.com/favicon.ico',
      connectionFields: [
        { key: 'apiKey', name: 'API Key' },
        { key: 'apiSecret', name: 'API Secret' },
      ],
    })
    const passphrases = body.filter(({ connectionFields }: any) => connectionFields.length === 3)
    expect(passphrases.map(({ connectionId }: any) => connectionId)).toEqual(['okx', 'bitget', 'kucoin'])
  })
})

describe('GET /exchange/transactions', () => {
  const get = endpoint(api, { route: getExchangeTransactions, key })
  const list = async (rest = '') =>
    (await get(`/exchange/transactions?portfolioId=${ID}${rest}`)).body.result as any[]

  test('returns past worths, current values and fees, without pending transactions', async () => {
    const rows = await list()
    expect(rows.map(({ type }) => type)).toEqual(['Received', 'Sell', 'Buy', 'Received'])
    const [, sell, buy, deposit] = rows
    expect(deposit).toMatchObject({
      date: '2026-03-02T00:00:00.000Z',
      coinData: { count: 10_000, symbol: 'USDT', currentValue: 10_000 },
      hash: { id: '0xhash', explorerUrl: 'https://etherscan.io/tx/0xhash' },
      transactions: [
        { action: 'Received', items: [{ count: 10_000, totalWorth: 10_000, fromAddress: '0xabc' }] },
      ],
    })
    expect(buy).toMatchObject({
      transactions: [
        {
          action: 'Received',
          items: [{ count: 0.1, totalWorth: 5_000, coin: { id: 'bitcoin', symbol: 'BTC' } }],
        },
        { action: 'Sent', items: [{ count: -5_000, totalWorth: 5_000, coin: { id: 'tether' } }] },
      ],
      fee: { coin: { id: 'tether' }, count: 5, totalWorth: 5 },
      profitLoss: { profit: 1_000, profitPercent: 20, currentValue: 6_000 },
    })
    expect(sell).toMatchObject({
      fee: { coin: { id: 'bitcoin' }, count: 0.0001, totalWorth: 5.5 },
      coinData: { count: -0.04, symbol: 'BTC', currentValue: 2_400 },
      profitLoss: { profit: -200 },
    })
  })

  test('filters by types, window, page and unidentified coins', async () => {
    const dates = async (rest: string) => (await list(rest)).map(({ date }) => (date as string).slice(8, 10))
    expect(await dates('&types=deposit')).toEqual(['07', '02'])
    expect(await dates('&types=deposit,executed')).toEqual(['07', '06', '03', '02'])
    expect(await dates('&types=withdraw')).toEqual([])
    expect(await dates('&hideUnidentifiedCoins=true')).toEqual(['06', '03', '02'])
    expect(await dates('&hideUnidentifiedCoins=1&types=deposit')).toEqual(['02'])
    expect(await dates('&from=2026-03-03&to=2026-03-06')).toEqual(['03'])
    expect(await dates('&limit=2&page=2')).toEqual(['03', '02'])
    expect(await dates('&limit=2&page=3')).toEqual([])
    expect(await dates('&page=2147483647')).toEqual([])
  })

  test('transactions of one instant have one order, in a page and from page to page', async () => {
    const ofOneInstant = `connection_id = $1 and key like 'same%'`
    await query(
      database.ownerUrl,
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
       select $1, kind, key, '2026-03-04T00:00:00Z', 'ok', type, 'USDT', 1, 'test', now()
       from (values ('deposit', 'same1', 'deposit'), ('fill', 'same2', 'executed'), ('deposit', 'same3', 'deposit'))
         as v (kind, key, type)`,
      [ID],
    )
    try {
      const window = '&from=2026-03-04&to=2026-03-05'
      const shown = (rows: any[]) => rows.map(({ transactions, ...row }) => [row.type, row.id, transactions])
      const pages = []
      for (const page of [1, 2, 3]) pages.push(...(await list(`${window}&limit=1&page=${page}`)))
      expect(pages).toHaveLength(3)
      expect(shown(await list(window))).toEqual(shown(pages))
    } finally {
      await query(database.ownerUrl, `delete from exchange_transactions where ${ofOneInstant}`, [ID])
    }
  })

  test('an unknown asset has no worth and keeps its name', async () => {
    const [row] = await list('&types=deposit&limit=1')
    expect(row.transactions[0].items[0]).toMatchObject({ totalWorth: 0, coin: { id: 'XYZ', symbol: 'XYZ' } })
  })
})

describe('GET /exchange/chart', () => {
  test('each point is the holdings of its instant at the prices of that instant', async () => {
    const { body } = await endpoint(api, { route: getExchangeChart, key })(
      `/exchange/chart?portfolioId=${ID}&type=all`,
    )
    const points = Object.fromEntries(
      body.result.map(([ms, usd]: number[]) => [new Date(ms!).toISOString().slice(8, 16), usd]),
    )
    // 10,000; then 0.1 BTC for 5,000 and a fee of 5; later the price rises to 55,000, and 0.0401 BTC go for 2,200.
    expect(points['03T00:00']).toBe(10_000)
    expect(points['04T00:00']).toBe(4_995 + 5_000)
    expect(points['06T00:00']).toBe(4_995 + 5_500)
    expect(points['07T00:00']).toBeCloseTo(7_195 + 0.0599 * 55_000, 9)
    // The last point has the newest quote.
    expect(points['10T12:00']).toBeCloseTo(7_195 + 0.0599 * 60_000, 9)
  })
})

const post = (body: unknown, as = key) =>
  api.get('/exchange/balance', as, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const fields = { apiKey: 'k', apiSecret: 's' }

describe('POST /exchange/balance', () => {
  test('answers in time without a worker and without balances; repeated offers keep one portfolio id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 4 }, () =>
        post({ connectionId: 'binance', connectionFields: fields, name: 'Mine' }),
      ),
    )
    const bodies = (await Promise.all(responses.map((response) => response.json()))) as any[]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { id } = bodies[0].portfolio
    for (const body of bodies)
      expect(body).toEqual({
        balances: [],
        portfolio: { id, status: 'syncing', connectionId: 'binance', name: 'Mine' },
      })
    const commands = (await outboxOf(api.owner)).filter(({ workflow }) => workflow === 'connectExchange')
    expect(commands.map(({ input }) => input)).toEqual(
      [1, 2, 3, 4].map((version) => ({ connectionId: id, version })),
    )
    // Only the newest offer is kept, and there is no portfolio until the exchange accepts one.
    const secrets = await query(
      database.ownerUrl,
      'select version from exchange_secrets where connection_id = $1',
      [id],
    )
    expect(secrets).toEqual([{ version: 4 }])
    expect((await api.get(`/exchange/status?portfolioId=${id}`, key)).status).toBe(404)
  })

  test.each<[string, unknown, number, string]>([
    ['no body', '', 400, 'Invalid parameter: body'],
    ['null', 'null', 400, 'Invalid parameter: body'],
    ['a list', '[]', 400, 'Invalid parameter: body'],
    ['truncated JSON', '{"connectionId":', 400, 'Invalid JSON body'],
    ['a key twice', '{"connectionId":"binance","connectionId":"kraken"}', 400, 'Invalid JSON body'],
    ['a prototype', '{"__proto__":{},"connectionId":"binance"}', 400, 'Invalid JSON body'],
    ['no exchange', { connectionFields: fields }, 400, 'Invalid parameter: connectionId'],
    [
      'an unknown exchange',
      { connectionId: 'nobody', connectionFields: fields },
      404,
      "Exchange with id 'nobody' not found",
    ],
    [
      'constructor',
      { connectionId: 'constructor', connectionFields: fields },
      404,
      "Exchange with id 'constructor' not found",
    ],
    [
      'an exchange id in upper case',
      { connectionId: 'Binance', connectionFields: fields },
      404,
      "Exchange with id 'Binance' not found",
    ],
    ['no fields', { connectionId: 'binance' }, 400, 'Invalid parameter: connectionFields'],
    [
      'only the API key',
      { connectionId: 'binance', connectionFields: { apiKey: 'k' } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'a passphrase that the exchange does not use',
      { connectionId: 'binance', connectionFields: { ...fields, passphrase: 'p' } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'a missing passphrase',
      { connectionId: 'okx', connectionFields: fields },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'an unknown field',
      { connectionId: 'binance', connectionFields: { ...fields, uid: '1' } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'an empty key',
      { connectionId: 'binance', connectionFields: { ...fields, apiKey: '' } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'a number as key',
      { connectionId: 'binance', connectionFields: { ...fields, apiKey: 1 } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'non-ASCII letters in the key',
      { connectionId: 'binance', connectionFields: { ...fields, apiKey: 'ключ' } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'a huge secret',
      { connectionId: 'binance', connectionFields: { ...fields, apiSecret: 'x'.repeat(5_000) } },
      400,
      'Invalid parameter: connectionFields',
    ],
    [
      'a control character in the name',
      { connectionId: 'binance', connectionFields: fields, name: 'a\u0007' },
      400,
      'Invalid parameter: name',
    ],
    [
      'an unknown property of the body',
      { connectionId: 'binance', connectionFields: fields, more: 1 },
      400,
      'Invalid parameter: body',
    ],
  ])('refuses bad input: %s', async (_name, body, status, message) => {
    const before = (await outboxOf(api.owner)).length
    const response = await post(body)
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(await refusal(response)).toEqual([status, message])
    expect((await outboxOf(api.owner)).length).toBe(before)
  })

  test('stores nothing without credits and returns 401 without a key', async () => {
    const poor = await api.newAccount({ credits: 5 })
    const before = (await outboxOf(api.owner)).length
    expect((await post({ connectionId: 'binance', connectionFields: fields }, poor.key)).status).toBe(429)
    expect((await post({ connectionId: 'binance', connectionFields: fields }, 'nobody')).status).toBe(401)
    expect((await outboxOf(api.owner)).length).toBe(before)
  })

  test('returns 503 when the server has no key to seal with', async () => {
    const bare = await startApi({ database, routes })
    const account = await bare.newAccount()
    const response = await bare.get('/exchange/balance', account.key, {
      method: 'POST',
      body: JSON.stringify({ connectionId: 'binance', connectionFields: fields }),
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(503)
  })
})

describe('bad parameters of the reads', () => {
  test.each([
    ['status', '', 'portfolioId'],
    ['status', 'portfolioId=', 'portfolioId'],
    ['status', 'portfolioId=%00', null],
    ['status', `portfolioId=${ID}&portfolioId=${ID}`, 'portfolioId'],
    ['chart', `portfolioId=${ID}`, 'type'],
    ['chart', `portfolioId=${ID}&type=2w`, 'type'],
    ['chart', `portfolioId=${ID}&type=ALL`, 'type'],
    ...['0', '-1', '1.5', '1e2', '٣', '2147483648'].map((page) => [
      'transactions',
      `portfolioId=${ID}&page=${page}`,
      'page',
    ]),
    ...['0', '1001', 'NaN'].map((limit) => ['transactions', `portfolioId=${ID}&limit=${limit}`, 'limit']),
    ['transactions', `portfolioId=${ID}&types=deposit,`, 'types'],
    ['transactions', `portfolioId=${ID}&types=Deposit`, 'types'],
    ['transactions', `portfolioId=${ID}&from=2026-02-30`, 'from'],
    ['transactions', `portfolioId=${ID}&from=2026-03-02T00:00:00`, 'from'],
    ['transactions', `portfolioId=${ID}&from=2026-03-02&to=2026-03-02`, 'to'],
    ['transactions', `portfolioId=${ID}&currency=nope`, 'currency'],
    ['transactions', `portfolioId=${ID}&hideUnidentifiedCoins=yes`, 'hideUnidentifiedCoins'],
  ] as [string, string, string | null][])('validates %s?%s', async (name, parameters, wrong) => {
    const response = await api.get(`/exchange/${name}?${parameters}`, key)
    expect(response.status).toBe(400)
    if (wrong) expect((await refusal(response))[1]).toBe(`Invalid parameter: ${wrong}`)
  })

  test.each([
    'nothing',
    '01990000-0000-7000-8000-00000000000A',
    `${ID}0`,
    '00000000-0000-0000-0000-000000000000',
  ])('returns 404 for an unknown id: %s', async (id) => {
    for (const path of ['status?', 'transactions?', 'chart?type=1w&'])
      expect((await api.get(`/exchange/${path}portfolioId=${id}`, key)).status).toBe(404)
  })

  test('the status follows from the last sync and the last request', async () => {
    const status = endpoint(api, { route: getExchangeStatus, key })
    expect((await status(`/exchange/status?portfolioId=${ID}`)).body).toEqual({ status: 'synced' })
    const patched = await api.get(`/exchange/sync?portfolioId=${ID}`, key, { method: 'PATCH' })
    expect(await patched.json()).toEqual({ success: true })
    expect((await outboxOf(api.owner)).at(-1)).toEqual({
      workflow: 'syncExchange',
      workflow_id: `exchange:${ID}`,
      input: { connectionId: ID },
    })
    expect((await status(`/exchange/status?portfolioId=${ID}`)).body).toEqual({ status: 'syncing' })
  })
})

describe('rights', () => {
  test('S3 neither api nor meter can read sealed secrets; meter may only add them', async () => {
    for (const url of [database.apiUrl, database.meterUrl])
      await expect(query(url, 'select from exchange_secrets')).rejects.toMatchObject({ code: '42501' })
    for (const url of [database.meterUrl])
      await expect(query(url, 'select from exchange_connections')).rejects.toMatchObject({ code: '42501' })
    const call = `select connect_exchange('${ID}', '${accountId}', 'binance', null, '\\x00', 2, 'k', '\\x', '\\x')`
    for (const url of [database.apiUrl, database.ingestUrl])
      await expect(query(url, call)).rejects.toMatchObject({ code: '42501' })
  })
})
