import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readEverHeld } from '../../db/exchanges/balances.ts'
import { dueConnections, readCredentials } from '../../db/exchanges/connections.ts'
import { countExchangeSyncs } from '../../db/exchanges/count-syncs.ts'
import { readCursors } from '../../db/exchanges/cursors.ts'
import { readHeldAssets } from '../../db/exchanges/read-balances.ts'
import { findConnection, readConnection } from '../../db/exchanges/read-connection.ts'
import { readExchangeProgress } from '../../db/exchanges/read-sync-progress.ts'
import { readTransactions, readTransactionsByKey } from '../../db/exchanges/read-transactions.ts'
import { readUnknownKinds } from '../../db/exchanges/read-unknown-kinds.ts'
import { createAccount } from '../../db/metering/write.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// What is read of one exchange account contains nothing of another.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

const TOMORROW = new Date((Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS)

/** Accounts whose rows have equal keys and other amounts: two at one exchange, and one at another. */
const [own, other, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]
const fingerprint = (id: string) => createHash('sha256').update(id).digest()
const accounts = new Map<string, string>()

beforeAll(async () => {
  await insertCoin(db, { id: 'bitcoin', symbol: 'btc', rank: 1, priceUsd: '100', at: NOW })
  await insertCoin(db, { id: 'fake', symbol: 'btc', rank: 2, priceUsd: '1', at: NOW })
  for (const [currency, perUsd] of [
    ['EUR', '0.5'],
    ['USD', '7'],
  ] as const)
    await insertRates(db, {
      currency,
      rates: [
        [at('01T00:00:00'), '4'],
        [at('02T00:00:00'), perUsd],
        // Of a day that has not begun.
        [TOMORROW, '9'],
      ],
    })
  await run(
    `insert into exchange_assets (venue, asset, coin_id, currency, source, fetched_at) values
     ('binance', 'BTC', 'bitcoin', null, 'test', $1), ('kraken', 'BTC', 'fake', null, 'test', $1),
     ('binance', 'EUR', null, 'EUR', 'test', $1), ('binance', 'USD', null, 'USD', 'test', $1)`,
    [NOW],
  )
  for (const [index, id] of [own, other, elsewhere].entries()) {
    const factor = index + 1
    const { accountId } = await createAccount(db, { name: id, plan: 'pro' })
    accounts.set(id, accountId)
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, covered_to)
       values ($1, $2, $3, $4, 3, 2, $5)`,
      [id, accountId, index === 2 ? 'kraken' : 'binance', fingerprint(id), at(`0${factor}T00:00:00`)],
    )
    await run(
      `insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
       select $1, version, $2, $3 || version, '', '' from generate_series(2, 3) as version`,
      [id, accountId, `key ${factor} `],
    )
    await run(
      `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
       select $1, asset, amount * $2, 'test', $3
       from (values ('BTC', 1), ('EUR', 10), ('USD', 50), ('XYZ', 9), ('GONE', 0)) as v (asset, amount)`,
      [id, factor, NOW],
    )
    await run(
      `insert into exchange_cursors (connection_id, stream, symbol, position, rows, complete_at)
       values ($1, 'fills', 'A', '1', $2, $3), ($1, 'fills', 'B', '1', $2, $4), ($1, 'dust', '', '1', $2, null)`,
      [id, factor * 10, at('05T00:00:00'), at('04T23:59:59')],
    )
    await run(
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, quote_asset,
         fee_asset, unknown_kind, source, fetched_at)
       select $1, v.kind, v.key, v.at::timestamptz, v.status, v.type, v.asset, $2, v.quote, v.fee, v.unknown, 'test', $3
       from (values
         ('fill', 'a', '2026-03-02', 'ok', 'executed', 'BTC', 'USD', 'BNB', null),
         ('fill', 'b', '2026-03-03', 'ok', 'executed', 'BTC', 'EUR', null, null),
         ('fee', 'a', '2026-03-03', 'ok', 'fee', 'OLD', null, null, 'lent'),
         ('adjustment', 'a', '2026-03-04', 'ok', 'balance', 'BTC', null, null, 'lent'),
         ('adjustment', 'b', '2026-03-05', 'ok', 'balance', 'BTC', null, null, 'staked'),
         ('adjustment', 'c', '2026-03-06', 'pending', 'balance', 'BTC', null, null, 'burnt')
       ) as v (kind, key, at, status, type, asset, quote, fee, unknown)`,
      [id, factor, NOW],
    )
    await run(
      `insert into exchange_legs (connection_id, kind, key, role, asset, at, delta, source, fetched_at)
       select $1, kind, key, role, asset, $3, $2, 'test', $3 from (values
         ('fill', 'a', 'base', 'BTC'), ('fill', 'a', 'quote', 'USD'), ('fill', 'b', 'base', 'BTC'), ('fee', 'a', 'fee', 'OLD')
       ) as v (kind, key, role, asset)`,
      [id, factor, NOW],
    )
    await run(
      `insert into transaction_parts (connection_id, kind, key, part, share, role, source, fetched_at)
       values ($1, 'fill', 'a', 0, null, $2, 'test', $3), ($1, 'fill', 'a', 1, 0.5, 'spam', 'test', $3)`,
      [id, ['airdrop', 'reward', 'fee'][index], NOW],
    )
  }
})

const accountOf = (id: string) => accounts.get(id)!

test('credentials: of the version that is asked for, or the active ones', async () => {
  const read = async (id: string, version: number | 'active') =>
    (await readCredentials(pool, { connectionId: id, version }))?.sealed.keyId
  expect(await read(own, 'active')).toBe('key 1 2')
  expect(await read(own, 3)).toBe('key 1 3')
  expect(await read(other, 'active')).toBe('key 2 2')
  expect(await read(own, 1)).toBeUndefined()
})

test('assets that an account ever held: those of balances, sides and fees', async () => {
  expect((await readEverHeld(pool, own)).sort()).toEqual(['BNB', 'BTC', 'EUR', 'GONE', 'OLD', 'USD', 'XYZ'])
  await run(`delete from exchange_balances where connection_id = $1`, [elsewhere])
  await run(
    `update exchange_transactions set quote_asset = null, fee_asset = null where connection_id = $1`,
    [elsewhere],
  )
  expect((await readEverHeld(pool, elsewhere)).sort()).toEqual(['BTC', 'OLD'])
})

test('balances: of one account, most valuable first, with what its exchange means by an asset', async () => {
  const held = await readHeldAssets(reader.db, own)
  expect(
    held.map(({ asset, coinId, amount, priceUsd }) => [asset, coinId, amount, Number(priceUsd)]),
  ).toEqual([
    ['BTC', 'bitcoin', '1', 100],
    ['USD', null, '50', 1],
    ['EUR', null, '10', 2],
    ['XYZ', null, '9', 0],
  ])
  expect(held.map(({ pricedAt }) => pricedAt)).toEqual([NOW, null, at('02T00:00:00'), null])
})

test('cursors of one account', async () => {
  const cursors = await readCursors(pool, own)
  expect(cursors.map(({ stream, symbol, rows }) => `${stream} ${symbol} ${rows}`).sort()).toEqual([
    'dust  10',
    'fills A 10',
    'fills B 10',
  ])
})

test('progress: lists that were read to their end since the request', async () => {
  const progress = await readExchangeProgress(db, { connectionId: own, since: at('05T00:00:00') })
  expect(progress).toMatchObject({
    taken: true,
    stage: 'reading',
    rows: 30,
    cursor: at('01T00:00:00').toISOString(),
  })
  expect(progress.share).toBeCloseTo(0.3)
  const shareOf = async (connectionId: string, since: Date) =>
    (await readExchangeProgress(db, { connectionId, since })).share
  expect(await shareOf(own, at('04T23:59:59'))).toBeCloseTo(0.6)
  await run('delete from exchange_cursors where connection_id = $1', [other])
  expect(await shareOf(other, at('04T23:59:59'))).toBeNull()
  const stageSince = async (since: Date) =>
    (await readExchangeProgress(db, { connectionId: own, since })).stage
  expect(await stageSince(at('05T00:00:01'))).toBe('waiting')
  await run(`delete from exchange_cursors where connection_id = $1 and stream = 'dust'`, [own])
  expect(await stageSince(at('04T00:00:00'))).toBe('computing')
  // A request of another account that waits, and one of its own.
  const request = (id: string) =>
    run(
      `insert into outbox (workflow, workflow_id, input) values ('syncExchange', 'exchange:' || $1, '{}')`,
      [id],
    )
  await request(other)
  expect(await stageSince(at('04T00:00:00'))).toBe('computing')
  await request(own)
  expect(await stageSince(at('04T00:00:00'))).toBe('waiting')
  await run('update outbox set dispatched_at = now()')
  expect(await stageSince(at('04T00:00:00'))).toBe('computing')
  await run('delete from outbox')
})

test('a connection: none of another account, and requested only by requests after its last sync', async () => {
  const read = (account: string, connectionId = own) =>
    readConnection(reader.db, { accountId: accountOf(account), connectionId })
  expect(await read(own)).toMatchObject({ id: own, requested: false })
  expect(await read(other)).toBeUndefined()
  const request = (workflow: string, id: string, minutes: number) =>
    run(
      `insert into outbox (workflow, workflow_id, input, created_at) values ($1, 'exchange:' || $2, '{}', $3)`,
      [workflow, id, ago(minutes)],
    )
  await request('syncExchange', other, 5)
  await request('other', own, 5)
  expect(await read(own)).toMatchObject({ requested: false })
  await request('syncExchange', own, 20)
  expect(await read(own)).toMatchObject({ requested: true })
  await run('update exchange_connections set synced_at = $1', [ago(10)])
  expect(await read(own)).toMatchObject({ requested: false })
  await request('syncExchange', own, 5)
  expect(await read(own)).toMatchObject({ requested: true })
})

test('the connection of credentials: of this account, exchange and key; given up with its portfolio', async () => {
  const find = (account: string, exchange = 'binance', id = own) =>
    findConnection(reader.db, { accountId: accountOf(account), exchange, fingerprint: fingerprint(id) })
  const found = { id: own, version: 3, isActive: true, isGivenUp: false }
  expect(await find(own)).toEqual(found)
  expect(await find(other)).toBeUndefined()
  expect(await find(own, 'kraken')).toBeUndefined()
  expect(await find(own, 'binance', other)).toBeUndefined()
  await run('update exchange_connections set active_version = null where id = $1', [own])
  const insert = `insert into portfolios (id, account_id, kind) values ($1, $2, 'exchange')`
  await run(insert, [own, accountOf(own)])
  await run(insert, [other, null])
  expect(await find(own)).toEqual({ ...found, isActive: false })
  expect(await readConnection(reader.db, { accountId: accountOf(own), connectionId: own })).toBeDefined()
  await run('update portfolios set account_id = null where id = $1', [own])
  expect(await find(own)).toEqual({ ...found, isActive: false, isGivenUp: true })
  expect(await readConnection(reader.db, { accountId: accountOf(own), connectionId: own })).toBeUndefined()
  await run('delete from portfolios')
  await run('update exchange_connections set active_version = 2 where id = $1', [own])
})

test('transactions: of one account, each with its own legs and parts', async () => {
  const filter = { hideUnidentifiedCoins: false }
  const listed = await readTransactions(reader.db, { connectionId: own, filter, offset: 0, limit: 9 })
  expect(listed.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'adjustment b',
    'adjustment a',
    'fill b',
    'fee a',
    'fill a',
  ])
  const fill = {
    legs: [
      { role: 'base', asset: 'BTC', delta: '1', coinId: 'bitcoin' },
      { role: 'quote', asset: 'USD', delta: '1', currency: 'USD' },
    ],
    parts: [
      { count: null, role: 'airdrop' },
      { count: '0.5', role: 'spam' },
    ],
  }
  expect(listed.at(-1)).toMatchObject(fill)
  expect(listed.map(({ legs, parts }) => [legs.length, parts.length])).toEqual([
    [0, 0],
    [0, 0],
    [1, 0],
    [1, 0],
    [2, 2],
  ])
  const byKey = await readTransactionsByKey(reader.db, [
    { connectionId: elsewhere, kind: 'fill', key: 'a' },
    { connectionId: own, kind: 'fill', key: 'gone' },
    { connectionId: own, kind: 'fill', key: 'a' },
  ])
  expect(new Set(byKey.keys())).toEqual(new Set([0, 2]))
  expect(byKey.get(2)).toMatchObject(fill)
  expect(byKey.get(0)!.legs.map(({ delta, coinId }) => [delta, coinId])).toEqual([
    ['3', 'fake'],
    ['3', null],
  ])
})

test('unknown kinds: of one account, the most frequent first', async () => {
  const kinds = await readUnknownKinds(reader.db, { accountId: accountOf(own) })
  expect([...kinds]).toEqual([
    [
      own,
      [
        { name: 'lent', entries: 2 },
        { name: 'burnt', entries: 1 },
        { name: 'staked', entries: 1 },
      ],
    ],
  ])
})

test('due are synced accounts with credentials whose last try is old, the oldest first', async () => {
  const due = (limit = 9) => dueConnections(pool, { olderThanSeconds: 600, limit })
  const set = (id: string, synced: Date | null, failed: Date | null, active: number | null = 2) =>
    run('update exchange_connections set synced_at = $2, failed_at = $3, active_version = $4 where id = $1', [
      id,
      synced,
      failed,
      active,
    ])
  await set(own, ago(20), null)
  await set(other, ago(40), null)
  await set(elsewhere, ago(60), ago(30))
  expect(await due()).toEqual([other, elsewhere, own])
  expect(await due(1)).toEqual([other])
  await set(other, ago(40), ago(5))
  await set(elsewhere, ago(5), ago(30))
  expect(await due()).toEqual([own])
  await set(other, null, ago(30))
  await set(elsewhere, ago(30), null, null)
  expect(await due()).toEqual([own])
})

test('syncs by exchange: of accounts whose credentials were accepted', async () => {
  const count = async () =>
    (await countExchangeSyncs(db, { targetS: 600 })).map(({ oldestS, ...counts }) => [
      counts,
      oldestS === null ? null : Math.round(oldestS / 60),
    ])
  // As the test before left them: own is late, other has failed, elsewhere has no credentials.
  const none = { fresh: 0, late: 0, failed: 0, pending: 0 }
  expect(await count()).toEqual([[{ ...none, of: 'binance', late: 1, failed: 1 }, 20]])
  await run(
    'update exchange_connections set active_version = 1, synced_at = null, failed_at = null where id = $1',
    [elsewhere],
  )
  await run('update exchange_connections set synced_at = $2, failed_at = null where id = $1', [other, ago(5)])
  expect(await count()).toEqual([
    [{ ...none, of: 'binance', late: 1, fresh: 1 }, 20],
    [{ ...none, of: 'kraken', pending: 1 }, null],
  ])
})
