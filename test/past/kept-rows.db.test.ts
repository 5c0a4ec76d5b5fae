import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { IngestConfig } from '../../activities/ingest-config.ts'
import { createPortfoliosActivities } from '../../activities/portfolios/index.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query, readResult } from '../setup/query.ts'

// What is kept of the past: replaced rows, when writes became visible, and the coins with figures.

const { ownerUrl, ingestUrl } = await testDatabase()
const { db, pool, close } = openDb({ url: ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) => query<Row>(ownerUrl, text, values)

const AT = new Date('2026-05-18T12:00:00Z')
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
const seconds = (time: Date | null) => time && (time.getTime() - AT.getTime()) / 1_000

beforeEach(() => ask('truncate past.coins, past.portfolios, past.writes, past.coins_held'))

/** Replaced rows of coins, and of portfolios, by the time at which they were replaced. */
async function replace(table: 'coins' | 'portfolios', ...times: number[]): Promise<void> {
  for (const time of times)
    await ask(`insert into past.${table} (id, recorded_at, replaced_at) values ($1, $2, $3)`, [
      randomUUID(),
      after(-9),
      after(time),
    ])
}
async function write(beganAt: number, xid: number, visibleAt: number | null): Promise<void> {
  await ask('insert into past.writes (began_at, xid) values ($1, $2::text::xid8)', [after(beganAt), xid])
  await ask('update past.writes set visible_at = $3 where began_at = $1 and xid = $2::text::xid8', [
    after(beganAt),
    xid,
    visibleAt === null ? null : after(visibleAt),
  ])
}
const left = async (table: string, column = 'replaced_at') =>
  (await ask<{ at: Date | null }>(`select ${column} as at from past.${table} order by 1`)).map(({ at }) =>
    seconds(at),
  )
const forget = async (batch: number, before = AT) =>
  Number(await readResult(ownerUrl, 'past.forget($1, $2)', [before, batch]))

test('rows that were replaced before an instant are forgotten, a batch of each table at a time', async () => {
  await replace('coins', -4, -3, -2, 0, 1)
  await replace('portfolios', -1)
  await write(-3, 1, -2)
  await write(-2, 2, -1)
  await write(-2, 3, -0.5)
  expect(await forget(2)).toBe(2 + 1 + 2)
  expect(await forget(2)).toBe(1 + 1)
  expect(await forget(2)).toBe(0)
  expect([await left('coins'), await left('portfolios'), await left('writes', 'began_at')]).toEqual([
    [0, 1],
    [],
    [],
  ])
})

test('a worker forgets what was replaced before so many days of its time, batch after batch', async () => {
  const day = 86_400
  await replace('coins', -3 * day, -2 * day - 1, -2 * day, -day, 0)
  let beats = 0
  const activities = createPortfoliosActivities({
    db,
    pool,
    now: () => AT,
    config: { asOfDays: 2 } as IngestConfig,
    heartbeat: () => void beats++,
  })
  expect(await activities.forgetReplaced()).toBe(2)
  expect(await left('coins')).toEqual([-2 * day, -day, 0])
  // The last batch finds nothing.
  expect(beats).toBe(2)
})

test('a write is kept as long as it became visible later, and while it is under way', async () => {
  await write(-3, 1, -1)
  await write(-3, 2, 0)
  await write(-2, 3, 1)
  await write(-1, 4, null)
  await write(0, 5, 0)
  expect(await forget(9)).toBe(1)
  expect(await left('writes', 'began_at')).toEqual([-3, -2, -1, 0])
})

test('answers of the past begin later from then on, and never earlier again', async () => {
  const from = async () =>
    seconds((await ask<{ from_at: Date }>('select from_at from past.kept'))[0]!.from_at)
  await ask('update past.kept set from_at = $1', [after(-60)])
  await forget(9)
  expect(await from()).toBe(0)
  await forget(9, after(-30))
  expect(await from()).toBe(0)
})

test('a write becomes visible at the end of its own transaction, and that of others stays', async () => {
  const visible = async () =>
    (
      await ask<{ at: Date | null }>(
        'select visible_at as at from past.writes order by began_at, xid::text::bigint',
      )
    ).map(({ at }) => at)
  const end = (beganAt: number, xid: number) =>
    ask('insert into past.writes (began_at, xid) values ($1, $2::text::xid8)', [after(beganAt), xid])
  await end(0, 1)
  const [first] = await visible()
  expect(first).toBeInstanceOf(Date)
  await end(0, 2)
  await end(1, 1)
  const all = await visible()
  expect(all.map((time) => time instanceof Date)).toEqual([true, true, true])
  expect(all[0]).toEqual(first)
})

test('a coin is recorded with its first figures, and once', async () => {
  const id = randomUUID()
  await ask(`insert into portfolios (id, kind) values ($1, 'manual')`, [id])
  const store = (day: number, coins: (string | null)[]) =>
    ask(
      `insert into portfolio_snapshots (portfolio_id, at, coin_ids, quantities, prices_usd, source, fetched_at)
       values ($1, $2, $3, array_fill(1::numeric, array[cardinality($3::text[])]), array_fill(1::numeric, array[cardinality($3::text[])]), 'test', now())`,
      [id, after(day * 86_400), coins],
    )
  const held = async () =>
    (await ask<{ coin_id: string }>('select coin_id from past.coins_held order by 1')).map(
      ({ coin_id: coin }) => coin,
    )
  await store(0, ['bitcoin', 'bitcoin', null])
  expect(await held()).toEqual(['bitcoin'])
  await store(1, ['ethereum', 'bitcoin'])
  expect(await held()).toEqual(['bitcoin', 'ethereum'])
})
