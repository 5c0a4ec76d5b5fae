import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { identifyAssets } from '../../db/exchanges/assets.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// Which coin or currency an asset of an exchange stands for, and from when on its accounts are counted again.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}T00:00:00Z`)

/** Two accounts at one exchange, and one at another. */
const [own, other, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]
const coin = (id: string, symbol: string, rank: number | null, more: { delistedAt?: Date } = {}) =>
  insertCoin(owner.db, { id, symbol, rank, at: at('01'), ...more })
const hold = (id: string, ...assets: string[]) =>
  run(
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
     select $1, asset, 1, 'test', now() from unnest($2::text[]) as asset`,
    [id, assets],
  )
const move = (id: string, day: string, assets: [string, string | null, string | null], status = 'ok') =>
  run(
    `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, quote_asset, quote_amount,
       fee_asset, fee_amount, source, fetched_at)
     values ($1, 'fill', $7, $2, $6, 'executed', $3, 1, $4, case when $4::text is not null then -1 end, $5,
       case when $5::text is not null then 1 end, 'test', now())`,
    [id, at(day), ...assets, status, `${at(day).toISOString()}${status}`],
  )
const know = (asset: string, source: string, coinId: string | null, currency: string | null) =>
  run(`insert into exchange_assets values ('kraken', $1, $2, $3, $4, $5)`, [
    asset,
    coinId,
    currency,
    source,
    at('01'),
  ])
const identify = (id: string, time = at('10')) =>
  transact(owner.pool, ({ client }) => identifyAssets(client, { connectionId: id, at: time }))
const known = async () =>
  Object.fromEntries(
    (
      await run<{ asset: string; means: string | null; day: number }>(
        `select asset, coalesce(coin_id, currency) as means, extract(day from fetched_at at time zone 'UTC')::int as day
         from exchange_assets where venue = 'kraken'`,
      )
    ).map(({ asset, means, day }) => [asset, [means, day]]),
  )

beforeAll(async () => {
  await coin('bitcoin', 'btc', 1)
  await coin('bitcoin-of-others', 'BTC', 9)
  await coin('ether', 'eth', 2)
  await coin('euro-coin', 'eur', 3)
  await coin('first-same', 'same', 7)
  await coin('second-same', 'same', 7)
  await coin('listed', 'gone', 8)
  await coin('gone', 'gone', 4, { delistedAt: at('01') })
  await run(`update coins set rank = 4 where id = 'gone'`)
  await coin('unranked', 'low', null)
  for (const id of [
    'sold',
    'quoted',
    'charged',
    'held-by-other',
    'sold-by-other',
    'quoted-by-other',
    'charged-by-other',
  ])
    await coin(id, id, 50)
  await run(`insert into fx_rates values ('EUR', $1, 1, 'test', $1)`, [at('01')])
  for (const [id, venue] of [
    [own, 'kraken'],
    [other, 'kraken'],
    [elsewhere, 'binance'],
  ] as const) {
    const { accountId } = await createAccount(owner.db, { name: id, plan: 'pro' })
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, $3, $4, 1)`,
      [id, accountId, venue, createHash('sha256').update(id).digest()],
    )
    await run(
      `with book as (insert into books (connection_id) values ($1) returning id)
       insert into pl_states (book_id) select id from book`,
      [id],
    )
  }
})

test('an asset is a currency with rates, else the best ranked coin that is listed, else unknown', async () => {
  expect(await identify(own)).toEqual({ coinIds: [], from: null })
  await hold(own, 'BTC', 'ETH.F', 'EUR', 'USD', 'SAME', 'GONE', 'LOW', 'NONE')
  await hold(elsewhere, 'OTHER')
  await identify(own)
  const means = Object.fromEntries(Object.entries(await known()).map(([asset, [what]]) => [asset, what]))
  expect(means).toEqual({
    BTC: 'bitcoin',
    'ETH.F': 'ether',
    EUR: 'EUR',
    USD: 'USD',
    SAME: 'first-same',
    GONE: 'listed',
    LOW: null,
    NONE: null,
  })
})

test('what is known stays, what an operator stated too, and what was unknown becomes known', async () => {
  await run('delete from exchange_assets')
  await know('BTC', 'symbol', 'bitcoin-of-others', null)
  await know('EUR', 'symbol', null, 'USD')
  await know('ETH.F', 'operator', null, null)
  await know('SAME', 'operator', 'second-same', null)
  await know('GONE', 'symbol', null, null)
  await know('USD', 'symbol', null, null)
  await know('NONE', 'symbol', null, null)
  await identify(own)
  expect(await known()).toEqual({
    BTC: ['bitcoin-of-others', 1],
    EUR: ['USD', 1],
    'ETH.F': [null, 1],
    SAME: ['second-same', 1],
    GONE: ['listed', 10],
    USD: ['USD', 10],
    NONE: [null, 1],
    LOW: [null, 10],
  })
})

test('coins are those that the account holds or moved, since its first transaction that counts', async () => {
  await run('delete from exchange_balances')
  await run('delete from exchange_assets')
  await hold(own, 'BTC', 'EUR')
  await hold(other, 'HELD-BY-OTHER')
  await move(own, '05', ['SOLD', 'QUOTED', 'CHARGED'])
  await move(own, '03', ['SOLD', null, null], 'pending')
  await move(other, '02', ['SOLD-BY-OTHER', 'QUOTED-BY-OTHER', 'CHARGED-BY-OTHER'])
  await identify(other)
  const coinIds = ['bitcoin', 'charged', 'quoted', 'sold']
  expect(await identify(own)).toEqual({ coinIds, from: at('05') })
  // One of its parts counts earlier.
  const part = (id: string, key: string, day: string) =>
    run(
      `insert into transaction_parts (connection_id, kind, key, part, role, at, share, source, fetched_at)
       values ($1, 'fill', $2, 1, 'airdrop', $3, 0.5, 'operator', now())`,
      [id, `${at(key).toISOString()}ok`, at(day)],
    )
  await part(other, '02', '01')
  expect((await identify(own)).from).toEqual(at('05'))
  await part(own, '05', '04')
  expect((await identify(own)).from).toEqual(at('04'))
})

test('accounts at the exchange are counted again from the first leg of what is known now', async () => {
  const forget = async () => {
    await run('delete from exchange_assets')
    await know('BEFORE', 'symbol', 'sold', null)
  }
  await forget()
  const leg = async (id: string, key: string, asset: string, day: string) => {
    await run(
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
       values ($1, 'fill', $2, $4, 'ok', 'executed', $3, 1, 'test', now())`,
      [id, key, asset, at(day)],
    )
    await run(
      `insert into exchange_legs (connection_id, kind, key, role, asset, at, delta, total, source, fetched_at)
       values ($1, 'fill', $2, $3, $4, $5, 1, 1, 'test', now())`,
      [id, key, 'base', asset, at(day)],
    )
  }
  await leg(own, 'b', 'BTC', '03')
  await leg(own, 'c', 'BTC', '04')
  await leg(own, 'a', 'BEFORE', '01')
  await leg(other, 'd', 'BTC', '05')
  await leg(elsewhere, 'e', 'BTC', '02')
  const dirty = async () => {
    const rows = await run<{ id: string; day: number | null }>(
      `select connection_id as id, extract(day from dirty_from at time zone 'UTC')::int as day
       from pl_states join books on books.id = book_id`,
    )
    return [own, other, elsewhere].map((id) => rows.find((row) => row.id === id)!.day)
  }
  await run('update pl_states set dirty_from = null')
  await identify(own)
  expect(await dirty()).toEqual([3, 5, null])
  // Nothing is new.
  await run('update pl_states set dirty_from = null')
  await identify(own)
  expect(await dirty()).toEqual([null, null, null])
  await forget()
  await run(`update pl_states set dirty_from = '2026-03-04T00:00:00Z'`)
  await identify(own)
  expect(await dirty()).toEqual([3, 4, 4])
})
