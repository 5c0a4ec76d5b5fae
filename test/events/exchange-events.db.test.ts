import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { completeExchangeSync } from '../../db/exchanges/connections.ts'
import { storePage, type TransactionRow } from '../../db/exchanges/cursors.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { failingPool, Killed } from '../chain/failing-pool.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { startAlertsWorld } from './alerts-world.ts'

// From a stored fill of an exchange account to the charged event.

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, ask, call, told, paid, pool } = world
afterAll(world.close)
await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', rank: 2, priceUsd: '2000', at: new Date() })
await ask(
  `insert into exchange_assets (venue, asset, coin_id, currency, source, fetched_at)
   values ('kraken', 'ETH', 'ethereum', null, 'test', now()), ('kraken', 'USD', null, 'USD', 'test', now())`,
)

/** An exchange account, and the rows that a sync of it stores. */
async function newConnection({ watches = true, synced = true } = {}) {
  const account = await api.newAccount()
  const [row] = await ask<{ id: string }>(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version)
     values (uuidv7(), $1, 'kraken', $2, 1, 1) returning id`,
    [account.accountId, randomBytes(32)],
  )
  const connectionId = row!.id
  await ask(`insert into portfolios (id, account_id, kind) values ($1, $2, 'exchange')`, [
    connectionId,
    account.accountId,
  ])
  const complete = () => completeExchangeSync(pool, { connectionId, coveredTo: new Date() })
  if (synced) await complete()
  if (watches) await call(account.key, 'GET', '/events')

  async function sync(rows: readonly TransactionRow[], through = pool): Promise<void> {
    await storePage(through, {
      connectionId,
      source: 'kraken',
      fetchedAt: new Date(),
      rows,
      cursor: { stream: 'fills', symbol: '', position: {}, completeAt: null },
      before: null,
    })
    await deriveLegs(through, { connectionId, statedAt: new Date(0) })
  }
  return { ...account, connectionId, complete, sync }
}

const DAY_MS = 86_400_000
const fill = (key: string, changed: Partial<TransactionRow> = {}): TransactionRow => ({
  kind: 'fill',
  key,
  at: new Date(),
  status: 'ok',
  type: 'executed',
  symbol: 'ETH/USD',
  order_id: null,
  asset: 'ETH',
  amount: '0.5',
  quote_asset: 'USD',
  quote_amount: '-1000',
  fee_asset: null,
  fee_amount: null,
  network: null,
  address: null,
  tx_hash: null,
  ...changed,
})

test('a stored fill is one event with the item of GET /exchange/transactions, charged once', async () => {
  const { accountId, key, connectionId, sync } = await newConnection()
  const endpoints = [
    await world.newEndpoint(accountId, ['exchange.transaction']),
    await world.newEndpoint(accountId, ['exchange.transaction'], { all: false }),
    await world.newEndpoint(accountId, ['exchange.synced']),
  ]
  await sync([fill('1')])
  const events = await told(accountId)
  const { body } = await call(key, 'GET', `/exchange/transactions?portfolioId=${connectionId}`)
  expect(body.result).toHaveLength(1)
  expect(events).toMatchObject([
    {
      type: 'exchange.transaction',
      data: { portfolioId: connectionId, connectionId: 'kraken', late: false, transaction: body.result[0] },
    },
  ])
  // The exchange states it again, and corrects it.
  await sync([fill('1')])
  await sync([fill('1', { fee_asset: 'USD', fee_amount: '1' })])
  expect(await told(accountId)).toHaveLength(1)
  expect(await paid(accountId, 'exchange.transaction')).toBe(5)
  const deliveries = await Promise.all(endpoints.map(world.deliveries))
  expect(deliveries).toEqual([['exchange.transaction'], [], []])
})

test('a transfer is an event once it is settled', async () => {
  const { accountId, sync } = await newConnection()
  const deposit = { kind: 'deposit', type: 'deposit', quote_asset: null, quote_amount: null } as const
  await sync([fill('1', { ...deposit, status: 'pending' })])
  expect(await told(accountId)).toEqual([])
  await sync([fill('1', { ...deposit, status: 'ok' })])
  expect((await told(accountId)).map(({ type }) => type)).toEqual(['exchange.transaction'])
})

test.each([
  ['nobody watches', { watches: false }, {}],
  ['the first sync reads the history', { synced: false }, {}],
  ['it is found more than a week late', {}, { at: new Date(Date.now() - 8 * DAY_MS) }],
])('a fill is no event when %s', async (_name, connection, changed) => {
  const { accountId, sync } = await newConnection(connection)
  await sync([fill('1', changed)])
  expect(await ask('select from event_sources')).toEqual([])
  expect(await told(accountId)).toEqual([])
})

test('a fill that was found an hour later is late', async () => {
  const { accountId, sync } = await newConnection()
  await sync([fill('1', { at: new Date(Date.now() - 3_600_000) })])
  expect((await told(accountId)).map(({ data }) => data['late'])).toEqual([true])
})

test('an account that watches other types pays for no fills', async () => {
  const { key, accountId, sync } = await newConnection({ watches: false })
  await call(key, 'GET', '/events?types=wallet.balance')
  await sync([fill('1')])
  expect(await told(accountId)).toEqual([])
})

test('a sync that is killed at any statement tells of each fill once', async () => {
  const { accountId, sync } = await newConnection()
  let kills = 0
  for (let failAt = 1, isKilled = true; isKilled; failAt++) {
    const rows = [fill(String(failAt))]
    isKilled = await sync(rows, failingPool(pool, failAt))
      .then(() => false)
      .catch((error: unknown) => {
        if (error instanceof Killed) return true
        throw error
      })
    if (isKilled) await sync(rows)
    kills = failAt
  }
  expect(kills).toBeGreaterThan(10)
  expect(await told(accountId)).toHaveLength(kills)
  expect(await paid(accountId, 'exchange.transaction')).toBe(5 * kills)
})

test('the end of the first sync is a free event, and of a later one if it was asked for', async () => {
  const { accountId, connectionId, complete } = await newConnection({ synced: false })
  await complete()
  await complete()
  expect((await told(accountId)).map(({ type, data }) => [type, data])).toEqual([
    ['exchange.synced', { portfolioId: connectionId, connectionId: 'kraken', transactions: 0 }],
  ])
  await ask(
    `insert into outbox (workflow, workflow_id, input) values ('syncExchange', 'exchange:' || $1, '{}')`,
    [connectionId],
  )
  await complete()
  expect(await told(accountId)).toHaveLength(2)
  expect(await paid(accountId, 'exchange.synced')).toBe(0)
})
