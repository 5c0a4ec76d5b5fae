import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// From which instant on the legs of an account are derived again: that of its own changes, whatever others have.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}T00:00:00Z`)
const [own, other] = [randomUUID(), randomUUID()]
const derive = (connectionId: string) => deriveLegs(owner.pool, { connectionId, statedAt: at('10') })
const move = (id: string, key: string, asset: string, day: string, status = 'ok') =>
  run(
    `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
     values ($1, 'deposit', $2, $4, $5, 'deposit', $3, 1, 'test', now())`,
    [id, key, asset, at(day), status],
  )
/** The instant from which on each account is to be counted again. */
async function dirty() {
  const rows = await run<{ id: string; at: Date | null }>(
    'select connection_id as id, dirty_from as at from pl_states join books on books.id = book_id',
  )
  return [own, other].map((id) => rows.find((row) => row.id === id)!.at)
}

beforeAll(async () => {
  await insertCoin(owner.db, { id: 'bitcoin', symbol: 'btc', rank: 1, at: at('01') })
  await run(
    `insert into exchange_assets values ('kraken', 'BTC', 'bitcoin', null, 'symbol', now()),
       ('kraken', 'EUR', null, 'EUR', 'symbol', now()), ('kraken', 'ODD', null, null, 'symbol', now())`,
  )
  for (const id of [own, other]) {
    const { accountId } = await createAccount(owner.db, { name: id, plan: 'pro' })
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, 'kraken', $3, 1)`,
      [id, accountId, createHash('sha256').update(id).digest()],
    )
    await run(
      `with book as (insert into books (connection_id) values ($1) returning id)
       insert into pl_states (book_id) select id from book`,
      [id],
    )
  }
  await move(own, 'waits', 'BTC', '03', 'pending')
  for (const [key, asset, day] of [
    ['first', 'EUR', '05'],
    ['second', 'ODD', '06'],
    ['third', 'DOGE', '07'],
  ] as const) {
    await move(own, key, asset, day)
    await move(other, key, asset, '02')
  }
  await run(
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
     select $1, asset, 1, 'test', now() from unnest(array['EUR', 'ODD', 'DOGE', 'KEPT']) as asset`,
    [own],
  )
})

test('it is the first own change, also of one that waits; what never moved was there before the first that counts', async () => {
  await derive(own)
  expect(await dirty()).toEqual([at('03'), null])
  const openings = await run(
    `select asset, at, amount::int from exchange_transactions where kind = 'opening' and connection_id = $1`,
    [own],
  )
  expect(openings).toEqual([{ asset: 'KEPT', at: new Date(at('05').getTime() - 1), amount: 1 }])
  await derive(other)
  await run('update pl_states set dirty_from = null')
  // It counts from where it was before.
  await run(
    `update exchange_transactions set derived = false, at = $2 where connection_id = $1 and key = 'second'`,
    [own, at('08')],
  )
  await derive(own)
  expect(await dirty()).toEqual([at('06'), null])
})

test('a transaction is identified by the coin or the currency of its asset, at that exchange', async () => {
  const rows = await run<{ asset: string }>(
    'select asset from exchange_transactions where connection_id = $1 and identified order by asset',
    [own],
  )
  expect(rows.map(({ asset }) => asset)).toEqual(['BTC', 'EUR'])
})
