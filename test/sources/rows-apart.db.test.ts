import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { dropQuarantined } from '../../db/sources/drop-quarantined.ts'
import { ingestion } from '../../db/sources/ingestion.ts'
import { noteCalls, type Calls } from '../../db/sources/note-calls.ts'
import { noteDataAge } from '../../db/sources/note-data-age.ts'
import { readSourceOrders } from '../../db/sources/orders.ts'
import { markDispatched, takePending } from '../../db/sources/outbox.ts'
import { readQuarantineReasons } from '../../db/sources/read.ts'
import { readOutbox, readQuarantinedWithin, readRowsWritten } from '../../db/sources/read-figures.ts'
import { readRetry, settleRetry } from '../../db/sources/retries.ts'
import { changedOperations, changeShape, readKeptAnswers } from '../../db/sources/shapes.ts'
import * as turns from '../../db/sources/turns.ts'
import { addUsage, readUsage } from '../../db/sources/usage.ts'
import { markActiveNetworks, quarantineRows } from '../../db/sources/write.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What is done for one source, or read of it, leaves out the rows of another.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const changed = async (work: () => Promise<unknown>) =>
  [
    ...new Set(
      await changedRows(
        database,
        { source_states: 'source', source_hours: 'source', quarantine: 'id' },
        work,
      ),
    ),
  ].toSorted()

beforeEach(async () => {
  await ask(
    'truncate source_states, source_hours, source_usage, source_orders, source_shapes, quarantine, outbox',
  )
  await turns.registerSource(db, 'one')
  await turns.registerSource(db, 'two')
})

describe('a source that is asked', () => {
  const rate = { source: 'one', intervalMs: 60_000, toleranceMs: 60_000 }
  const failure = { source: 'one', reason: 'test', retryAfterMs: 600_000, threshold: 5, toleranceMs: 0 }

  test.each<[what: string, work: () => Promise<unknown>]>([
    ['takes a turn', () => turns.takeTurn(db, { ...rate, maxWaitMs: 0 })],
    ['succeeds', () => turns.noteSuccess(db, 'one')],
    ['is probed', () => turns.noteProbe(db, 'one')],
    ['refuses', () => turns.noteAnswer(db, failure)],
    ['fails', () => turns.noteFailure(db, failure)],
    [
      'tells the times of its data',
      () => noteDataAge(db, { source: 'one', times: [new Date(0)], now: new Date() }),
    ],
  ])('changes only its own rows when it %s', async (_, work) => {
    expect(await changed(work)).toEqual(['one'])
  })

  test('waits for the turns before, and is not asked if that is too long', async () => {
    const take = (maxWaitMs: number) => turns.takeTurn(db, { ...rate, maxWaitMs })
    const inMinutes = (ms: number | null) => ms && Math.round(ms / 60_000)
    // The tolerance is one request ahead of the pace.
    expect(await take(0)).toBeLessThanOrEqual(0)
    expect(await take(1_000)).toBeLessThanOrEqual(1_000)
    expect(await take(30_000)).toBe(null)
    expect(inMinutes(await take(90_000))).toBe(1)
    expect(inMinutes((await turns.nextTurn(db, rate)).waitMs)).toBe(2)
    expect((await turns.nextTurn(db, { ...rate, source: 'two' })).waitMs).toBeLessThan(0)
  })

  test('is paused alone, until its pause is over', async () => {
    await turns.noteFailure(db, failure)
    expect([await turns.isPaused(db, 'one'), await turns.isPaused(db, 'two')]).toEqual([true, false])
    await ask(`update source_states set paused_until = now() - interval '1 second'`)
    expect(await turns.isPaused(db, 'one')).toBe(false)
  })
})

test('the age of data is that of the newest, and without times or from the future it is as it was, or none', async () => {
  const now = new Date('2026-11-01T00:01:00Z')
  const ages = async (seconds: readonly number[]) => {
    const times = seconds.map((ago) => new Date(now.getTime() - ago * 1_000))
    await noteDataAge(db, { source: 'one', times, now })
    const [row] = await ask<{ data_age_s: number | null }>(
      `select data_age_s from source_states where source = 'one'`,
    )
    return row!.data_age_s
  }
  expect(await ages([])).toBe(null)
  expect(await ages([90, 30, 60])).toBe(30)
  expect(await ages([])).toBe(30)
  expect(await ages([-5])).toBe(0)
})

describe('calls that are noted together', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second))
  const calls = (more: Partial<Calls>): Calls => ({
    source: 'one',
    calls: 3,
    failures: 0,
    succeededAt: null,
    failedAt: null,
    failure: null,
    ...more,
  })
  const states = () =>
    ask(
      `select source, extract(second from last_success_at)::int as success, extract(second from last_failure_at)::int as failure,
         last_failure as reason, consecutive_failures as in_a_row from source_states order by source`,
    )
  const counts = () =>
    ask(
      'select source, sum(requests)::int as requests, sum(failures)::int as failures from source_hours group by source',
    )
  const two = { source: 'two', success: null, failure: null, reason: null, in_a_row: 0 }

  test('add up, and keep the newest times and the last reason', async () => {
    const failed = calls({ failures: 2, failedAt: at(20), failure: 'no' })
    await noteCalls(pool, [failed])
    await noteCalls(pool, [failed])
    const state = { source: 'one', success: null, failure: 20, reason: 'no', in_a_row: 4 }
    expect(await states()).toEqual([state, two])
    expect(await counts()).toEqual([{ source: 'one', requests: 6, failures: 4 }])
    await noteCalls(pool, [calls({ succeededAt: at(30) })])
    await noteCalls(pool, [calls({ calls: 1, failures: 1, succeededAt: at(25), failedAt: at(10) })])
    expect(await states()).toEqual([{ ...state, success: 30, in_a_row: 0 }, two])
    expect(await counts()).toEqual([{ source: 'one', requests: 10, failures: 5 }])
  })

  test('of a new source are failures in a row only if none of them succeeded', async () => {
    await noteCalls(pool, [
      calls({ source: 'new', failures: 2, failedAt: at(20), failure: 'no' }),
      calls({ source: 'mixed', failures: 2, succeededAt: at(10), failedAt: at(20), failure: 'no' }),
    ])
    const failed = { failure: 20, reason: 'no' }
    expect((await states()).slice(0, 2)).toEqual([
      { source: 'mixed', ...failed, success: 10, in_a_row: 0 },
      { source: 'new', ...failed, success: null, in_a_row: 2 },
    ])
  })
})

test('what is spent adds up by account and work, of a day and of its month up to that day', async () => {
  const usage = { account: 'a', source: 'one', work: 'heads', requests: 1 }
  const of = (day: string, units: number) => ({ ...usage, day: `${day}T00:00:00.000Z`, units })
  await addUsage(pool, [
    of('2026-10-31', 1),
    of('2026-11-01', 10),
    of('2026-11-03', 100),
    of('2026-11-04', 1_000),
  ])
  await addUsage(pool, [of('2026-11-03', 100), { ...of('2026-11-01', 7), account: 'b', source: 'two' }])
  const spent = await readUsage(pool, '2026-11-03T00:00:00.000Z')
  expect(spent.toSorted((a, b) => (a.account < b.account ? -1 : 1))).toEqual([
    { account: 'a', work: 'heads', day: 200, month: 210 },
    { account: 'b', work: 'heads', day: 0, month: 7 },
  ])
  expect(await ask(`select requests::int from source_usage where units = 200`)).toEqual([{ requests: 2 }])
})

test('an order has a quota with its period, or none', async () => {
  await ask(
    `insert into source_orders (source, quota, quota_per) values ('one', 5, 'day'), ('two', null, null)`,
  )
  const orders = await readSourceOrders(db)
  expect([orders.get('one')!.quota, orders.get('two')!.quota]).toEqual([{ units: 5, per: 'day' }, null])
})

test('commands that were not sent are taken, oldest first, and then they wait no more', async () => {
  await ask(
    `insert into outbox (workflow, workflow_id, input, created_at, dispatched_at) values
     ('w', 'sent', '{}', now() - interval '3 hours', now()), ('w', 'first', '{}', now() - interval '2 hours', null),
     ('w', 'second', '{}', now() - interval '1 hour', null)`,
  )
  const pending = async (limit = 9) => (await takePending(db, { limit })).map((one) => one.workflow_id)
  const waiting = async () => {
    const { pending: count, oldestS } = await readOutbox(db)
    return [count, Math.round(oldestS / 3_600)]
  }
  expect(await pending()).toEqual(['first', 'second'])
  expect(await pending(1)).toEqual(['first'])
  expect(await waiting()).toEqual([2, 2])
  await markDispatched(db, [])
  expect(await waiting()).toEqual([2, 2])
  await markDispatched(db, [(await takePending(db, { limit: 1 }))[0]!.id])
  expect(await pending()).toEqual(['second'])
  await markDispatched(db, [(await takePending(db, { limit: 1 }))[0]!.id])
  expect(await waiting()).toEqual([0, 0])
})

test('written rows are counted by table, and those of partitions for their parent', async () => {
  await db.transaction().execute(async (trx) => {
    const written = await readRowsWritten(trx)
    const parents = await ask<{ name: string; part: string }>(
      `select parent.relname as name, min(part.relname) as part from pg_inherits join pg_class parent on parent.oid = inhparent
       join pg_class part on part.oid = inhrelid where parent.relkind = 'p' group by 1`,
    )
    expect(written.has('outbox')).toBe(true)
    expect(written.has('pg_class')).toBe(false)
    for (const { name, part } of parents) {
      expect(written.has(name)).toBe(true)
      expect(written.has(part)).toBe(false)
    }
  })
})

describe('rows in quarantine', () => {
  const now = new Date()
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const put = (
    more: Partial<Parameters<typeof quarantineRows>[1]> & { reason?: string; payload?: unknown },
  ) =>
    quarantineRows(db, {
      source: more.source ?? 'one',
      area: more.area ?? 'prices',
      quarantined: [{ reason: more.reason ?? 'bad', payload: more.payload ?? { n: 1 } }],
      fetchedAt: more.fetchedAt ?? now,
    })
  const count = async () =>
    (await ask<{ rows: number }>('select count(*)::int as rows from quarantine'))[0]!.rows

  test('are stored once a day for each source, area, reason and content', async () => {
    await put({ fetchedAt: ago(25) })
    await put({})
    expect(await count()).toBe(2)
    await put({})
    await put({ fetchedAt: ago(1) })
    expect(await count()).toBe(2)
    await put({ source: 'two' })
    await put({ area: 'nft' })
    await put({ reason: 'worse' })
    await put({ payload: { n: 2 } })
    expect(await count()).toBe(6)
  })

  test('are counted by source for the last time, and by reason, the most frequent and then the newest first', async () => {
    for (const [source, reason, hours] of [
      ['one', 'often', 3],
      ['one', 'often', 1],
      ['one', 'often', 7],
      ['one', 'early', 5],
      ['one', 'early', 6],
      ['one', 'late', 4],
      ['one', 'late', 8],
      ['two', 'old', 9],
    ] as const)
      await put({ source, reason, fetchedAt: ago(hours), payload: { hours } })
    expect([...(await readQuarantinedWithin(db, { seconds: 2 * 3_600 }))]).toEqual([['one', 1]])
    expect(new Map(await readQuarantinedWithin(db, { seconds: 10 * 3_600 }))).toEqual(
      new Map([
        ['one', 7],
        ['two', 1],
      ]),
    )
    const reasons = await readQuarantineReasons(db, { perSource: 2 })
    expect(reasons).toMatchObject([
      { source: 'one', reason: 'often', rows: 3, newestAt: ago(1) },
      { source: 'one', reason: 'late', rows: 2, newestAt: ago(4) },
      { source: 'two', reason: 'old', rows: 1 },
    ])
  })

  test('are dropped when they match all of a filter', async () => {
    for (const source of ['one', 'two']) for (const reason of ['bad', 'worse']) await put({ source, reason })
    const [last] = await ask<{ id: string }>('select max(id)::text as id from quarantine')
    const drop = (filter: Parameters<typeof dropQuarantined>[1]['filter'], dryRun = true) =>
      dropQuarantined(db, { filter, dryRun })
    expect(await drop(last!)).toBe(1)
    expect(await drop({ source: 'one' })).toBe(2)
    expect(await drop({ reason: 'bad' })).toBe(2)
    expect(await drop({ source: 'one', reason: 'bad' })).toBe(1)
    expect(await drop({ ...last, source: 'one' })).toBe(0)
    expect(await count()).toBe(4)
    expect(await drop({ source: 'one', reason: 'worse' }, false)).toBe(1)
    expect(await ask('select source, reason from quarantine order by id')).toEqual([
      { source: 'one', reason: 'bad' },
      { source: 'two', reason: 'bad' },
      { source: 'two', reason: 'worse' },
    ])
  })

  /** Rows whose retry was asked for, and one that is alike in content without. */
  const asked = async () => {
    for (const [source, area] of [
      ['one', 'prices'],
      ['one', 'nft'],
      ['two', 'prices'],
    ] as const)
      await put({ source, area, fetchedAt: ago(48) })
    await ask(
      `update quarantine set retry_state = 'asked', activity = 'refresh', input = '1', retry_at = '2026-01-01'`,
    )
    await put({ fetchedAt: ago(20) })
    await ask(`update quarantine set activity = 'refresh' where activity is null`)
    const rows = await ask<{ id: string }>('select id::text from quarantine order by id')
    return rows.map(({ id }) => id)
  }

  test('are refused when their own retry gives them again', async () => {
    const [first] = await asked()
    const again = (isRetry: boolean) =>
      changed(() =>
        ingestion.run({ activity: 'refresh', input: 1, isRetry }, () => put({ fetchedAt: ago(25) })),
      )
    expect(await again(false)).toEqual([])
    expect(await again(true)).toEqual([first])
    expect(await ask(`select id::text, reason from quarantine where retry_state = 'refused'`)).toEqual([
      { id: first, reason: 'bad' },
    ])
  })

  test.each([
    ['its source succeeded since', { last_success_at: '2026-01-02' }, null, null],
    [
      'its source failed since',
      { last_success_at: '2026-01-02', last_failure_at: '2026-01-02' },
      null,
      'down',
    ],
    [
      'its source failed only before',
      { last_success_at: '2026-01-02', last_failure_at: '2025-12-31' },
      null,
      null,
    ],
    ['its source was not asked', { last_success_at: '2025-12-31' }, null, 'the source was not asked'],
    ['it could not be read', { last_success_at: '2026-01-02' }, 'broken', 'broken'],
  ])('leave alone after a retry, or stay with a reason: %s', async (_, times, failure, reason) => {
    const [first, ...others] = await asked()
    await ask(
      `update source_states set last_success_at = $1, last_failure_at = $2, last_failure = 'down' where source = 'one'`,
      [times.last_success_at, 'last_failure_at' in times ? times.last_failure_at : null],
    )
    await ask(
      `update source_states set last_success_at = '2026-01-03', last_failure_at = '2026-01-03', last_failure = 'other'
       where source = 'two'`,
    )
    const retry = (await readRetry(db, { id: first! }))!
    expect(retry).toMatchObject({ activity: 'refresh', input: 1 })
    expect(await readRetry(db, { id: others.at(-1)! })).toBe(null)
    await settleRetry(db, { id: first!, askedAt: '2026-01-02', failure })
    expect(await changed(() => settleRetry(db, { id: first!, askedAt: retry.askedAt, failure }))).toEqual([
      first,
    ])
    const rows = await ask(`select retry_state, retry_failure from quarantine where id = $1`, [first])
    expect(rows).toEqual(reason === null ? [] : [{ retry_state: 'failed', retry_failure: reason }])
  })

  test('without an activity cannot be retried', async () => {
    const [first] = await asked()
    await ask('update quarantine set activity = null where id = $1', [first])
    expect(await readRetry(db, { id: first! })).toBe(null)
  })
})

describe('shapes of answers', () => {
  const known = { shape: {}, learnt: 1, changes: [] }
  const learn = (source: string, operation: string, answer?: object | null) =>
    changeShape(pool, { source, operation }, () => (answer === undefined ? { known } : { known, answer }))
  const operations = async (source: string) =>
    (
      await ask<{ operation: string }>('select operation from source_shapes where source = $1 order by 1', [
        source,
      ])
    ).map(({ operation }) => operation)

  test('are those of sixty operations of each source, and later ones of these', async () => {
    for (let i = 0; i < 60; i++) await learn('one', `op-${i}`)
    await learn('two', 'more')
    await learn('one', 'more')
    await learn('one', 'other')
    expect([(await operations('one')).length, await operations('two')]).toEqual([60, ['more']])
    await changeShape(pool, { source: 'one', operation: 'op-7' }, () => ({ known: { ...known, learnt: 2 } }))
    expect(await ask('select operation from source_shapes where learnt = 2')).toEqual([{ operation: 'op-7' }])
  })

  test('keep an answer until another one, or none, takes its place', async () => {
    await learn('one', 'op', { first: 1 })
    await learn('two', 'op', { other: 1 })
    await learn('one', 'op')
    expect(await readKeptAnswers(db, 'one')).toEqual([{ operation: 'op', answer: { first: 1 } }])
    await changeShape(pool, { source: 'one', operation: 'op' }, () => null)
    await learn('one', 'op', { second: 2 })
    expect(await readKeptAnswers(db, 'one')).toEqual([{ operation: 'op', answer: { second: 2 } }])
    await learn('one', 'op', null)
    expect(await readKeptAnswers(db, 'one')).toEqual([])
    await ask(`update source_shapes set changes = '[1]' where source = 'two'`)
    expect([await changedOperations(db, 'one'), await changedOperations(db, 'two')]).toEqual([[], ['op']])
  })
})

test('a network is active while it has a source, and others are left as they are', async () => {
  const active = () => ask<{ id: string }>('select id from networks where active order by id')
  await markActiveNetworks(db, ['ethereum', 'polygon-wallet'])
  expect(await active()).toEqual([{ id: 'ethereum' }, { id: 'polygon-wallet' }])
  const rows = () =>
    changedRows(database, { networks: 'id' }, () => markActiveNetworks(db, ['ethereum', 'base-wallet']))
  expect(new Set(await rows())).toEqual(new Set(['base-wallet', 'polygon-wallet']))
  expect(await active()).toEqual([{ id: 'base-wallet' }, { id: 'ethereum' }])
  expect(await rows()).toEqual([])
})
