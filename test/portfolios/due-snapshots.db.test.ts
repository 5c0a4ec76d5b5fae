import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { dueSnapshots, missingMidnights } from '../../db/portfolios/write-snapshots.ts'
import type { Change } from '../../db/pnl/scopes.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Which portfolios lack a snapshot, at the limits of their times.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), ingest.close()]))
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const MIDNIGHT = new Date('2026-03-10T00:00:00Z')
const midnight = (days: number) => new Date(MIDNIGHT.getTime() + days * DAY_MS)
const later = new Date(MIDNIGHT.getTime() + 1)
const before = new Date(MIDNIGHT.getTime() - 1)

interface Seed {
  owner?: string | null
  computedTo?: Date
  dirtyFrom?: Date
  days?: number[]
  snapshots?: number[]
  statedAt?: Date
}
const ids = new Map<string, { portfolioId: string; bookId: string }>()
let [ann, bob] = ['', '']

async function add(name: string, seed: Seed = {}): Promise<void> {
  const { owner: account = ann, computedTo = MIDNIGHT, dirtyFrom = null } = seed
  // In the order of their names.
  const portfolioId = `${String(ids.size).padStart(8, '0')}${randomUUID().slice(8)}`
  await ask(`insert into portfolios (id, account_id, kind) values ($1, $2, 'manual')`, [portfolioId, account])
  const [book] = await ask<{ id: string }>('insert into books (portfolio_id) values ($1) returning id', [
    portfolioId,
  ])
  ids.set(name, { portfolioId, bookId: book!.id })
  await ask('insert into pl_states (book_id, computed_to, dirty_from) values ($1, $2, $3)', [
    book!.id,
    computedTo,
    dirtyFrom,
  ])
  for (const day of seed.days ?? [-1, 0])
    await ask('insert into pl_days select $1, $2, 0, 0, 0, 0, 0, 0, false', [book!.id, midnight(day)])
  for (const day of seed.snapshots ?? [])
    await ask(`insert into portfolio_snapshots values ($1, $2, '{}', '{}', '{}', 'test', now())`, [
      portfolioId,
      midnight(day),
    ])
  if (seed.statedAt)
    await ask(
      `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at, derived)
       values ($1, $2, $3, 'bitcoin', 1, 'USD', 'owner', $3, true)`,
      [randomUUID(), portfolioId, seed.statedAt],
    )
}

beforeAll(async () => {
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  await add('first')
  await add('not computed', { computedTo: before })
  await add('changed', { dirtyFrom: midnight(-9) })
  await add('removed', { owner: null })
  await add('of today', { days: [0] })
  await add('of tomorrow', { days: [1] })
  await add('without days', { days: [] })
  await add('has all', { snapshots: [-1, 0] })
  await add('lacks the newest', { snapshots: [-1] })
  await add('lacks the oldest', { snapshots: [0] })
  await add('of Bob', { owner: bob })
  await add('stated', { statedAt: before })
  await add('stated just now', { statedAt: MIDNIGHT })
  await add('stated later', { statedAt: later })
})

const due = async (limit = 99, of?: Change) =>
  (
    await dueSnapshots(ingest.db, { midnight: MIDNIGHT, statedBefore: MIDNIGHT, limit, ...(of && { of }) })
  ).map(
    ({ portfolioId, bookId }) =>
      [...ids].find(([, one]) => one.portfolioId === portfolioId && one.bookId === bookId)?.[0],
  )

test('portfolios are due that lack their first or their newest midnight and rest since then', async () => {
  const all = ['first', 'of today', 'lacks the newest', 'lacks the oldest', 'of Bob', 'stated']
  expect(await due()).toEqual(all)
  expect(await due(2)).toEqual(all.slice(0, 2))
})

test('a change concerns its book, or the portfolios of its account', async () => {
  const ofBook = (name: string) => due(99, { bookId: ids.get(name)!.bookId })
  expect(await ofBook('of today')).toEqual(['of today'])
  expect(await ofBook('has all')).toEqual([])
  expect(await due(99, { accountId: bob })).toEqual(['of Bob'])
})

test('the midnights of a portfolio that are computed and have no snapshot, the oldest first', async () => {
  const missing = async (name: string, to = MIDNIGHT) =>
    (await missingMidnights(ingest.db, { target: ids.get(name)!, toMs: to.getTime() })).map(
      (ms) => (ms - MIDNIGHT.getTime()) / DAY_MS,
    )
  expect([await missing('first'), await missing('first', before)]).toEqual([[-1, 0], [-1]])
  expect([await missing('lacks the newest'), await missing('lacks the oldest')]).toEqual([[0], [-1]])
  expect([await missing('has all'), await missing('without days')]).toEqual([[], []])
})
