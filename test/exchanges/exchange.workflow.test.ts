import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { dispatchOutbox } from '../../activities/dispatch-outbox.ts'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { createPnlActivities } from '../../activities/pnl/index.ts'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { getExchangeChart } from '../../api/exchanges/get-chart.ts'
import { getExchangePlHistory } from '../../api/exchanges/get-pl-history.ts'
import { getExchangeTransactions } from '../../api/exchanges/get-transactions.ts'
import { postExchangeBalance } from '../../api/exchanges/post-balance.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { binanceKeys, type ExchangeKey, krakenKeys } from '../../sandbox/exchanges/keys.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { createWorkers } from '../setup/worker.ts'
import '../setup/provided.ts'
import { exchangeDeps, startExchanges } from './exchange-world.ts'

// A client connects, syncs and reads, with the real server, worker, Temporal and database.

const TASK_QUEUE = 'exchanges-test'
const database = await testDatabase()
const exchanges = await startExchanges()
const { deps, publicKey, logged } = exchangeDeps(database, exchanges)
const prices = createPricesActivities(deps)
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const vault = createVault({ pool: meter.pool, publicKey, waitMs: 60_000 })
const api = await startApi({ database, routes, overrides: { vault, logger, sandbox: true } })
const { key } = await api.newAccount()
const stranger = await api.newAccount()
const answers: string[] = []
const stops: (() => unknown)[] = [() => meter.close()]
let client: Client

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger(
      'DEBUG',
      (entry) => void logged.push(JSON.stringify([entry.message, entry.meta])),
    ),
    shutdownSignals: [],
  })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await createWorkers({
    connection,
    taskQueue: TASK_QUEUE,
    interceptors: { activity: [activityInterceptor] },
    activities: { ...prices, ...createExchangesActivities(deps), ...createPnlActivities(deps) },
  })
  const running = worker.run()
  client = new Client({ connection: await Connection.connect({ address }) })
  const ended = new AbortController()
  const dispatching = dispatchOutbox({
    pool: deps.pool,
    client,
    taskQueue: TASK_QUEUE,
    known: new Set(),
    log: deps.log,
    signal: ended.signal,
  })
  stops.push(
    () => client.connection.close(),
    () => connection.close(),
    () => running,
    () => worker.shutdown(),
    () => dispatching,
    () => ended.abort(),
  )
  await prices.refreshQuotes()
  await prices.refreshFiats()
  await prices.describeCoins({ limit: 10 })
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function call(path: string, options: { method?: string; body?: unknown; as?: string } = {}) {
  const { method = 'GET', body, as = key } = options
  const response = await api.get(path, as, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await response.text()
  answers.push(text)
  return { status: response.status, body: JSON.parse(text) as any, headers: response.headers }
}

const connect = (connectionId: string, { apiKey, apiSecret }: ExchangeKey, as?: string) =>
  call('/exchange/balance', {
    method: 'POST',
    body: { connectionId, connectionFields: { apiKey, apiSecret } },
    ...(as !== undefined && { as }),
  })

async function synced(portfolioId: string): Promise<void> {
  for (let i = 0; i < 500; i++) {
    const { body } = await call(`/exchange/status?portfolioId=${portfolioId}`)
    if (body.status === 'synced') return
    await sleep(100)
  }
  const rows = await query(database.ownerUrl, 'select failure from exchange_connections')
  throw new Error(`not synced: ${JSON.stringify(rows)}`)
}

let portfolioId: string

test('connects an account with its balances; its transactions return 409 until a sync is requested', async () => {
  const { status, body, headers } = await connect('binance', binanceKeys[0]!)
  expect([status, body]).toMatchObject([200, { portfolio: { connectionId: 'binance', status: 'syncing' } }])
  expect(postExchangeBalance.response.parse(body)).toEqual(body)
  expect(headers.get('x-credits-cost')).toBe('10')
  expect(body.balances.length).toBeGreaterThan(3)
  const bitcoin = body.balances.find(({ coinId }: { coinId: string }) => coinId === 'bitcoin')
  expect(bitcoin).toMatchObject({ priceBtc: 1 })
  expect(bitcoin.price).toBeGreaterThan(10_000)
  portfolioId = body.portfolio.id
  for (const path of ['/exchange/transactions?', '/exchange/pl?'])
    expect((await call(`${path}portfolioId=${portfolioId}`)).status).toBe(409)
  for (const path of ['/exchange/chart?type=all&', '/exchange/pl/history?range=all&interval=daily&'])
    expect((await call(`${path}portfolioId=${portfolioId}`)).body).toMatchObject({
      result: [],
      meta: { pending: [portfolioId] },
    })
  expect((await call(`/exchange/status?portfolioId=${portfolioId}`)).body).toEqual({ status: 'syncing' })
})

test('a sync brings fills, transfers, fees and values', async () => {
  const { status, body, headers } = await call(`/exchange/sync?portfolioId=${portfolioId}`, {
    method: 'PATCH',
  })
  expect([status, body, headers.get('x-credits-cost')]).toEqual([200, { success: true }, '20'])
  await synced(portfolioId)

  const all = await call(`/exchange/transactions?portfolioId=${portfolioId}&limit=1000`)
  expect(getExchangeTransactions.response.parse(all.body)).toEqual(all.body)
  expect(all.headers.get('x-credits-cost')).toBe('4')
  expect(all.headers.get('x-data-as-of')).not.toBeNull()
  const rows = all.body.result
  expect(rows.length).toBeGreaterThan(200)
  expect(new Set(rows.map(({ type }: { type: string }) => type))).toEqual(
    new Set(['Buy', 'Sell', 'Swap', 'Received', 'Sent']),
  )
  const dates: string[] = rows.map(({ date }: { date: string }) => date)
  expect(dates).toEqual([...dates].sort((a, b) => (a < b ? 1 : -1)))
  const buy = rows.find(({ type }: { type: string }) => type === 'Buy')
  expect(buy.transactions.map(({ action }: { action: string }) => action).sort()).toEqual([
    'Received',
    'Sent',
  ])
  for (const { items } of buy.transactions)
    for (const item of items) expect(item.totalWorth).toBeGreaterThan(5)
  expect(buy.fee.count).toBeGreaterThan(0)
  expect(buy.fee.totalWorth).toBeGreaterThan(0)

  const deep = await call(`/exchange/transactions?portfolioId=${portfolioId}&limit=7&page=13`)
  expect(deep.body.result).toEqual(rows.slice(84, 91))
  const sent = await call(
    `/exchange/transactions?portfolioId=${portfolioId}&types=withdraw,deposit&limit=1000`,
  )
  expect(sent.body.result).toEqual(
    rows.filter(({ type }: { type: string }) => type === 'Sent' || type === 'Received'),
  )
  const [from, to] = [dates[50]!, dates[20]!]
  const window = await call(
    `/exchange/transactions?portfolioId=${portfolioId}&from=${from}&to=${to}&limit=1000`,
  )
  expect(window.body.result).toEqual(rows.filter(({ date }: { date: string }) => date >= from && date < to))
})

test('the chart ends with the current holdings at current prices', async () => {
  const { body, headers } = await call(`/exchange/chart?portfolioId=${portfolioId}&type=all`)
  expect(getExchangeChart.response.parse(body)).toEqual(body)
  expect(headers.get('x-credits-cost')).toBe('50')
  expect(body.result.length).toBeGreaterThan(700)
  for (const [, usd] of body.result.slice(3)) expect(usd).toBeGreaterThan(1_000)
  const { balances } = (await connect('binance', binanceKeys[0]!)).body
  const held = balances.reduce((sum: number, { amount, price }: any) => sum + amount * price, 0)
  const [, usd, btc] = body.result.at(-1)
  // Quotes are slightly newer than the last full hour.
  expect(Math.abs(usd / held - 1)).toBeLessThan(0.05)
  expect(btc).toBeGreaterThan(0)
  for (const type of ['24h', '1w'])
    expect(
      (await call(`/exchange/chart?portfolioId=${portfolioId}&type=${type}`)).body.result.length,
    ).toBeGreaterThan(7)
})

test('the P&L covers the whole history', async () => {
  const { body } = await call(`/exchange/pl/history?portfolioId=${portfolioId}&range=all&interval=daily`)
  expect(getExchangePlHistory.response.parse(body)).toEqual(body)
  const chart = await call(`/exchange/chart?portfolioId=${portfolioId}&type=all`)
  const dates = chart.body.result.slice(1).map(([ms]: number[]) => ms)
  expect(body.result.slice(0, -1).map(({ date }: { date: string }) => Date.parse(date))).toEqual(
    dates.slice(0, -1),
  )
  expect(body.result.some(({ profitLoss }: { profitLoss: number }) => profitLoss !== 0)).toBe(true)
})

test('connecting the same account again returns the same portfolio', async () => {
  const again = await connect('binance', binanceKeys[0]!)
  expect(again.body.portfolio).toEqual({ id: portfolioId, status: 'synced', connectionId: 'binance' })
  const many = await Promise.all(Array.from({ length: 5 }, () => connect('binance', binanceKeys[0]!)))
  expect(new Set(many.map(({ body }) => body.portfolio.id))).toEqual(new Set([portfolioId]))
})

test('S1 another account gets 404 for the portfolio, and its own portfolio for the same key', async () => {
  for (const path of ['status?', 'transactions?', 'chart?type=1w&', 'pl/history?range=1w&interval=daily&'])
    for (const id of [portfolioId, portfolioId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
      const { status, body } = await call(`/exchange/${path}portfolioId=${id}`, { as: stranger.key })
      expect([status, body.message]).toEqual([404, `Portfolio with id '${id}' not found`])
    }
  const patch = await call(`/exchange/sync?portfolioId=${portfolioId}`, { method: 'PATCH', as: stranger.key })
  expect(patch.status).toBe(404)
  const own = await connect('binance', binanceKeys[0]!, stranger.key)
  expect(own.body.portfolio.id).not.toBe(portfolioId)
})

test('refuses credentials that the exchange refuses or that may do more than read; earlier ones stay active', async () => {
  const wrong = await connect('binance', { ...binanceKeys[0]!, apiSecret: 'wrong-secret-planted' })
  expect([wrong.status, wrong.body.message, wrong.headers.get('x-credits-cost')]).toEqual([
    400,
    'Invalid parameter: connectionFields. The exchange refused these credentials',
    '0',
  ])
  for (const [exchange, trader] of [
    ['binance', binanceKeys[1]!],
    ['kraken', krakenKeys[1]!],
  ] as const) {
    const { status, body } = await connect(exchange, trader)
    expect(status).toBe(400)
    expect(body.message).toMatch(/may do more than read: .*(trade).*only read-only keys are accepted/)
  }
  const off = await connect('coinbase', binanceKeys[0]!)
  expect([off.status, off.body.message]).toEqual([
    400,
    'Invalid parameter: connectionFields. This exchange is disabled on this server',
  ])
  await query(database.ownerUrl, "update exchange_connections set synced_at = synced_at - interval '1 hour'")
  expect((await call(`/exchange/sync?portfolioId=${portfolioId}`, { method: 'PATCH' })).status).toBe(200)
  await synced(portfolioId)
})

test('connects and syncs Kraken, with a fiat currency among its assets', async () => {
  const { body } = await connect('kraken', krakenKeys[0]!)
  expect(body.balances.map(({ coinId }: { coinId: string }) => coinId)).toContain('FiatCoinUSD')
  const { id } = body.portfolio
  await call(`/exchange/sync?portfolioId=${id}`, { method: 'PATCH' })
  await synced(id)
  const { result } = (await call(`/exchange/transactions?portfolioId=${id}&currency=EUR&limit=1000`)).body
  expect(result.length).toBeGreaterThan(200)
  const inUsd = (await call(`/exchange/transactions?portfolioId=${id}&limit=1000`)).body.result
  const worth = (row: any) => row.transactions[0].items[0].totalWorth as number
  for (const [i, row] of result.entries()) {
    const rate = worth(row) / worth(inUsd[i])
    expect(rate).toBeGreaterThan(0.7)
    expect(rate).toBeLessThan(1.2)
  }
})

test('S3 no credential is in a log, in Temporal, in an answer or in the database', async () => {
  const secrets = [...binanceKeys, ...krakenKeys].flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret])
  const used = [...secrets, 'wrong-secret-planted']
  const spellings = used.flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('base64'),
  ])
  const holding = (text: string) => spellings.filter((secret) => text.includes(secret))

  const histories: string[] = []
  for await (const { workflowId, runId } of client.workflow.list()) {
    if (!workflowId.startsWith('exchange')) continue
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    histories.push(
      JSON.stringify(history, (_name, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      ),
    )
  }
  const tables = await query<{ name: string }>(
    database.ownerUrl,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const dump: string[] = []
  for (const { name } of tables) {
    const rows = await query<{ text: string }>(
      database.ownerUrl,
      `select t::text as text from ${name} t limit 20000`,
    )
    dump.push(rows.map(({ text }) => text).join('\n'))
  }
  const bytes = await query<{ text: string }>(
    database.ownerUrl,
    `select encode(ciphertext || wrapped_key, 'escape') as text from exchange_secrets`,
  )
  const places = { logged, histories, answers, dump, bytes: bytes.map(({ text }) => text) }
  for (const [place, texts] of Object.entries(places)) {
    expect(texts.join('').length, place).toBeGreaterThan(100)
    expect(holding(texts.join('\n')), place).toEqual([])
  }
  // The search works: it finds the keys in the requests to the simulator.
  expect(holding(JSON.stringify(exchanges.requests.map(({ headers }) => headers)))).not.toEqual([])
})
