import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { refreshListings } from '../../activities/prices/refresh-listings.ts'
import { refreshQuotes } from '../../activities/prices/refresh-quotes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startPriceWorld } from './price-world.ts'

const database = await testDatabase()
const { deps, sources, clock } = await startPriceWorld(database)

const count = async (which: string) =>
  (await query<{ n: number }>(database.ownerUrl, `select count(*)::int as n from coins where ${which}`))[0]!.n

/** The sources, with `happens` run after the coin list is read and before it is applied. */
function meanwhile(happens: () => Promise<unknown>): typeof sources {
  const coingecko = sources.coingecko!
  const listings = async () => {
    const listed = await coingecko.listings()
    await happens()
    return listed
  }
  return { ...sources, coingecko: { ...coingecko, listings } }
}

test('a coin list does not delist coins that were stored while it was read', async () => {
  const racing = meanwhile(() => refreshQuotes(deps, sources))
  expect(await refreshListings(deps, racing)).toEqual({ contracts: 0, delisted: 0 })
  expect(await count('true')).toBeGreaterThan(150)
  expect(await count('delisted_at is not null')).toBe(0)
})

test.each([1, 2, 3, 4, 5, 6, 7])(
  'a coin list does not delist coins that are stored before statement %i of applying it',
  async (statement) => {
    await query(database.ownerUrl, 'truncate coins cascade')
    clock.nowMs += 60_000
    let stored: Promise<unknown> = Promise.resolve()
    // If the lock makes them wait, they are stored afterwards; the timeout avoids a deadlock of this test.
    const pool = poolThatPauses(statement, () => {
      // The coins were fetched shortly before the list.
      stored = refreshQuotes({ ...deps, now: () => new Date(clock.nowMs - 500) }, sources)
      return Promise.race([stored, sleep(1_000)])
    })
    expect(await refreshListings({ ...deps, pool }, sources)).toMatchObject({ delisted: 0 })
    await stored
    expect(await count('true')).toBeGreaterThan(150)
    expect(await count('delisted_at is not null')).toBe(0)
  },
)

/** The same pool, with `happens` run before statement number `statement` of the first transaction. */
function poolThatPauses(statement: number, happens: () => Promise<unknown>): pg.Pool {
  let statements = 0
  const pausing = (client: pg.PoolClient) =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'query') return value.bind(target)
        return async (...args: unknown[]) => {
          if (statements++ === statement) await happens()
          return value.apply(target, args)
        }
      },
    })
  return { connect: async () => pausing(await deps.pool.connect()) } as unknown as pg.Pool
}

test('a coin stored after the last list is not delisted by one absence from the next', async () => {
  await refreshQuotes(deps, sources)
  await refreshListings(deps, sources)
  await query(
    database.ownerUrl,
    `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
     select 'newcomer', 'NEW', 'Newcomer', 'newcomer', max(last_seen_at), 'coingecko', now() from coins;
     insert into coin_mappings (source, upstream_id, coin_id) values ('coingecko', 'newcomer', 'newcomer')`,
  )
  clock.nowMs += 60_000
  expect(await refreshListings(deps, sources)).toMatchObject({ delisted: 0 })
  clock.nowMs += 60_000
  expect(await refreshListings(deps, sources)).toMatchObject({ delisted: 1 })
})
