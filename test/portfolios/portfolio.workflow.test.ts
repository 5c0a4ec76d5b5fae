import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activeNetworks } from '../../activities/active-networks.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { labelWallet } from '../../db/portfolios/label-wallet.ts'
import { createPortfolio, deletePortfolio, setCostMethod } from '../../db/portfolios/operator.ts'
import { moveTransaction, splitTransaction } from '../../db/portfolios/correct-transactions.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { untilServed } from '../setup/until-served.ts'

// Writes of clients, processed by a real server, worker, Temporal and database with the sandbox as upstream.

const database = await testDatabase()
const sealingKey = createSealingKey()
const { deps } = await startSandboxWorld(database, { env: { EXCHANGE_KEYS: sealingKey }, clockRuns: true })
const activities = createActivities(deps)
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const publicKey = sealingPublicKey(sealingKey)
const vault = createVault({ pool: meter.pool, publicKey, waitMs: 60_000 })
const api = await startApi({ database, routes, overrides: { vault, sandbox: true } })
const { key, accountId } = await api.newAccount()
const stranger = await api.newAccount()
const stops: (() => unknown)[] = [() => meter.close()]

beforeAll(async () => {
  await markActiveNetworks(deps.db, activeNetworks(deps.config))
  await activities.refreshQuotes()
  await activities.refreshFiats()
  await activities.refreshListings()
  const worker = await startDispatchingWorker({ taskQueue: 'portfolio-test', activities, deps })
  stops.push(() => worker.stop())
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function call(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
  as = key,
) {
  const headers = { ...more, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await api.get(path, as, init)
  return { status: response.status, body: (await response.json()) as any, headers: response.headers }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await isTrue()) return
    await sleep(300)
  }
  throw new Error(`never: ${what}`)
}
const synced = (id: string) =>
  until(`${id} synced`, async () => {
    const { body } = await call('GET', `/portfolio/status?portfolioId=${id}`)
    return body.status === 'synced'
  })
const days = (portfolioId: string) =>
  query<{ at: Date; value_usd: string }>(
    database.ownerUrl,
    `select d.at, d.value_usd from pl_days d join portfolio_books b using (book_id)
     where b.portfolio_id = $1 order by d.at`,
    [portfolioId],
  )
const credentials = { apiKey: binanceKeys[0]!.apiKey, apiSecret: binanceKeys[0]!.apiSecret }
const exchange = { connectionId: 'binance', connectionFields: credentials, name: 'Trading' }
// Other tests on the same server sync the first and the third wallet.
const wallet = { address: bitcoinWallets[1]!.name, connectionId: 'bitcoin' }
let exchangeId: string

describe('from the request to the figures', () => {
  test('syncs a wallet', async () => {
    const { body } = await call('POST', '/portfolio/wallet', wallet)
    expect(body).toMatchObject({ connectionId: 'bitcoin', status: 'connected' })
    await synced(body.portfolioId)
    expect((await days(body.portfolioId)).length).toBeGreaterThan(100)
  })

  test('connects an exchange account: 20 requests under one key give one portfolio and one charge', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        untilServed(() => call('POST', '/portfolio/exchange', exchange, { 'idempotency-key': 'x' })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const [first] = answers
    expect(first!.body).toMatchObject({ connectionId: 'binance', status: 'connected' })
    for (const { body } of answers) expect(body).toEqual(first!.body)
    expect(answers.filter(({ headers }) => headers.get('x-credits-cost') === '10')).toHaveLength(1)
    exchangeId = first!.body.portfolioId
    await synced(exchangeId)
    // A repeat does not try the credentials again.
    const offers = () => query(database.ownerUrl, 'select version from exchange_connections')
    const before = await offers()
    const repeat = await call('POST', '/portfolio/exchange', exchange, { 'idempotency-key': 'x' })
    expect([repeat.body, await offers()]).toEqual([first!.body, before])
    expect((await days(exchangeId)).length).toBeGreaterThan(100)
    const rows = await query(
      database.ownerUrl,
      `select id, kind, name from portfolios where account_id = $1 and kind = 'exchange'`,
      [accountId],
    )
    expect(rows).toEqual([{ id: exchangeId, kind: 'exchange', name: 'Trading' }])
  })

  test('both requests that connect it return the same id', async () => {
    const { body } = await call('POST', '/exchange/balance', exchange)
    expect(body.portfolio).toMatchObject({ id: exchangeId, name: 'Trading' })
    const again = await call('POST', '/portfolio/exchange', { ...exchange, name: 'Spot' })
    expect(again.body).toEqual({ portfolioId: exchangeId, connectionId: 'binance', status: 'existing' })
    const { result } = (await call('GET', '/portfolio/list')).body
    expect(result[1]).toEqual({ portfolioId: exchangeId, portfolioName: 'Spot', portfolioType: 'exchange' })
    const other = await call('POST', '/portfolio/exchange', exchange, {}, stranger.key)
    expect(other.body.status).toBe('connected')
    expect(other.body.portfolioId).not.toBe(exchangeId)
  })

  test('refused credentials create no portfolio', async () => {
    const connectionFields = { ...credentials, apiSecret: 'wrong' }
    const { status, body } = await call('POST', '/portfolio/exchange', { ...exchange, connectionFields })
    expect([status, body.message]).toEqual([
      400,
      'Invalid parameter: connectionFields. The exchange refused these credentials',
    ])
    expect((await call('GET', '/portfolio/list')).body.result).toHaveLength(2)
  })
})

describe('manual transactions', () => {
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const ago = (count: number) => midnight - count * 86_400_000
  let portfolioId: string
  const add = (body: object) =>
    call('POST', '/portfolio/transaction', { portfolioId, coinId: 'ethereum', ...body })
  // The clock of this world runs, so another day may begin meanwhile.
  const daysTo = async (ms: number) => (await days(portfolioId)).filter(({ at }) => at.getTime() <= ms)

  test('are priced and valued from their own day on, also when an earlier one follows', async () => {
    ;({ portfolioId } = await createPortfolio(api.owner, { accountId, name: 'By hand', now: new Date() }))
    await add({ count: 2, date: ago(40) + 1 })
    await synced(portfolioId)
    expect(await daysTo(midnight)).toHaveLength(40)
    const [row] = await query(database.ownerUrl, 'select price_usd, derived from manual_transactions')
    expect(row).toMatchObject({ derived: true })
    expect(Number(row!['price_usd'])).toBeGreaterThan(100)
    await Promise.all([
      add({ count: 1, price: 1_000, date: ago(300) }),
      ...Array.from({ length: 10 }, (_, i) => add({ count: 0.1, date: ago(20 + i) })),
    ])
    await synced(portfolioId)
    const all = await daysTo(midnight)
    expect(all).toHaveLength(300)
    const worth = async (at: Date) => {
      const [price] = await query<{ usd: string }>(
        database.ownerUrl,
        `select usd from price_hours where coin_id = 'ethereum' and at = $1`,
        [at],
      )
      return Number(price?.usd)
    }
    expect(Number(all[0]!.value_usd)).toBeCloseTo(await worth(all[0]!.at), 6)
    expect(Number(all.at(-1)!.value_usd)).toBeCloseTo(4 * (await worth(all.at(-1)!.at)), 6)
  })

  test('are moved and split by the operator, and figures follow from the day of the change', async () => {
    const [first] = await query<{ id: string }>(
      database.ownerUrl,
      'select id from manual_transactions order by at limit 1',
    )
    const { id } = first!
    expect(await splitTransaction(api.owner, { id, count: '2', now: new Date() })).toBe(false)
    expect(await splitTransaction(api.owner, { id, count: '0.25', now: new Date() })).toBe(true)
    expect(await moveTransaction(api.owner, { id, at: new Date(ago(200)) })).toBe(true)
    await synced(portfolioId)
    const all = await daysTo(midnight)
    expect(all).toHaveLength(300)
    const counts = await query(
      database.ownerUrl,
      `select at, count from manual_transactions where at < $1 order by at`,
      [new Date(ago(100))],
    )
    expect(counts).toEqual([
      { at: new Date(ago(300)), count: '0.25' },
      { at: new Date(ago(200)), count: '0.75' },
    ])
    const other = await createPortfolio(api.owner, {
      accountId: stranger.accountId,
      name: 'B',
      now: new Date(),
    })
    expect(await moveTransaction(api.owner, { id, portfolioId: other.portfolioId })).toBe(false)
  })

  test('get their own coin rows for another cost method', async () => {
    expect(await setCostMethod(api.owner, { id: portfolioId, method: 'fifo' })).toBe(true)
    await until('folded by fifo', async () => {
      const rows = await query(
        database.ownerUrl,
        `select f.id from folds f join scopes s on s.id = f.scope_id join portfolio_books b using (book_id)
         where b.portfolio_id = $1 and f.method = 'fifo' and f.folded_at is not null and f.dirty_from is null`,
        [portfolioId],
      )
      return rows.length === 1
    })
  })
})

test('a label of a wallet transaction survives later syncs, and figures follow', async () => {
  const { portfolioId } = (await call('GET', '/portfolio/list')).body.result[0]
  const [one] = await query<{ tx_hash: string; seq: number; at: Date }>(
    database.ownerUrl,
    `select tx_hash, seq, at from movements where role = 'transfer' and raw > 0 order by at desc limit 1`,
  )
  const { tx_hash: hash, seq } = one!
  const flowOf = async () => {
    const rows = await query<{ flow_usd: string }>(
      database.ownerUrl,
      `select d.flow_usd from pl_days d join portfolio_books b using (book_id)
       where b.portfolio_id = $1 and d.at > $2 order by d.at limit 1`,
      [portfolioId, one!.at],
    )
    return Number(rows[0]!.flow_usd)
  }
  const roleOf = async () => {
    const rows = await query<{ role: string }>(
      database.ownerUrl,
      'select role from movements where tx_hash = $1 and seq = $2',
      [hash, seq],
    )
    return rows[0]?.role
  }
  const label = (role: 'airdrop' | null) =>
    labelWallet(api.owner, { id: portfolioId, hash, seq, role, now: new Date() })
  const before = await flowOf()
  expect(before).toBeGreaterThan(0)
  expect(await label('airdrop')).toBe(true)
  await synced(portfolioId)
  expect(await roleOf()).toBe('airdrop')
  expect(await flowOf()).toBeLessThan(before)
  // This sync derives everything again.
  await query(
    database.ownerUrl,
    `update wallet_syncs set normalised_block = 0, synced_at = synced_at - interval '1 hour'`,
  )
  await call('PATCH', `/portfolio/sync?portfolioId=${portfolioId}`)
  await synced(portfolioId)
  expect(await roleOf()).toBe('airdrop')
  expect(await label(null)).toBe(true)
  await synced(portfolioId)
  expect([await roleOf(), await flowOf()]).toEqual(['transfer', before])
  const other = { id: portfolioId, hash: 'none', seq: null, role: null, now: new Date() }
  expect(await labelWallet(api.owner, other)).toBe(false)
})

describe('DELETE', () => {
  /** Tables that still have rows of an exchange account. */
  const leftOf = async (id: string) => {
    const columns = await query<{ name: string; column: string }>(
      database.ownerUrl,
      `select table_name as name, column_name as column from information_schema.columns c
       join pg_class r on r.relname = table_name and r.relkind = 'r' and r.relnamespace = 'public'::regnamespace
       where column_name in ('connection_id', 'portfolio_id') or (table_name, column_name) in
         (('portfolios', 'id'), ('exchange_connections', 'id'))`,
    )
    const left: string[] = []
    for (const { name, column } of columns)
      if (
        (await query(database.ownerUrl, `select from ${name} where ${column} = $1 limit 1`, [id])).length > 0
      )
        left.push(name)
    return left
  }

  test('during a sync leaves nothing behind, and connecting the account again gives another portfolio', async () => {
    const [book] = await query<{ id: string }>(
      database.ownerUrl,
      'select id from books where connection_id = $1',
      [exchangeId],
    )
    await query(
      database.ownerUrl,
      `update exchange_connections set synced_at = synced_at - interval '1 hour'`,
    )
    await query(database.ownerUrl, 'delete from exchange_cursors where connection_id = $1', [exchangeId])
    expect((await call('PATCH', `/portfolio/sync?portfolioId=${exchangeId}`)).body).toEqual({
      status: 'syncing',
    })
    await until('half read', async () => {
      const rows = await query(database.ownerUrl, 'select from exchange_cursors where connection_id = $1', [
        exchangeId,
      ])
      return rows.length > 0
    })
    expect(await leftOf(exchangeId)).toContain('exchange_secrets')
    const { status, body } = await call('DELETE', `/portfolio/${exchangeId}`)
    expect([status, body]).toEqual([200, { success: true }])
    for (const path of ['portfolio/status', 'exchange/status', 'exchange/transactions'])
      expect((await call('GET', `/${path}?portfolioId=${exchangeId}`)).status).toBe(404)
    expect((await call('GET', '/portfolio/list')).body.result).toHaveLength(2)
    expect(await leftOf(exchangeId)).not.toContain('exchange_secrets')
    await until('removed', async () => (await leftOf(exchangeId)).length === 0)
    for (const name of ['pl_days', 'balance_days', 'pl_states'])
      expect(
        await query(database.ownerUrl, `select from ${name} where book_id = $1 limit 1`, [book!.id]),
      ).toEqual([])
    const again = await call('POST', '/portfolio/exchange', exchange)
    expect(again.body.status).toBe('connected')
    expect(again.body.portfolioId).not.toBe(exchangeId)
    await synced(again.body.portfolioId)
    expect(await leftOf(exchangeId)).toEqual([])
  })

  test('keeps a wallet that another account also follows', async () => {
    const own = await call('POST', '/portfolio/wallet', wallet, {}, stranger.key)
    const { portfolioId } = (await call('GET', '/portfolio/list')).body.result[0]
    expect((await call('DELETE', `/portfolio/${portfolioId}`)).status).toBe(200)
    await until('removed', async () => (await leftOf(portfolioId)).length === 0)
    const { body } = await call('GET', '/portfolio/list', undefined, {}, stranger.key)
    expect(body.result.map((row: any) => row.portfolioId)).toContain(own.body.portfolioId)
    expect((await days(own.body.portfolioId)).length).toBeGreaterThan(100)
  })

  test('by the operator removes a manual portfolio', async () => {
    const { result } = (await call('GET', '/portfolio/list')).body
    const { portfolioId } = result.find((row: any) => row.portfolioType === 'manual')
    expect(await deletePortfolio(api.owner, { id: portfolioId })).toBe(true)
    expect(await deletePortfolio(api.owner, { id: portfolioId })).toBe(false)
    await until('removed', async () => (await leftOf(portfolioId)).length === 0)
  })
})
