import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { dropQuarantined, type QuarantineFilter } from '../../db/sources/drop-quarantined.ts'
import { ingestion } from '../../db/sources/ingestion.ts'
import { noteCalls } from '../../db/sources/note-calls.ts'
import { noteDataAge } from '../../db/sources/note-data-age.ts'
import { readOutbox, readQuarantinedWithin, readRowsWritten } from '../../db/sources/read-figures.ts'
import { readRetry, settleRetry } from '../../db/sources/retries.ts'
import { changedOperations, changeShape, readKeptAnswers } from '../../db/sources/shapes.ts'
import { isPaused, nextTurn, noteAnswer, noteFailure, noteSuccess, takeTurn } from '../../db/sources/turns.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What is noted, counted and quarantined of one source, beside another one that is not concerned.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const AT = new Date('2026-05-18T12:00:00Z')
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
const DAY = 86_400

/** The other one has failed, and its next turn and its pause are far away. */
beforeEach(async () => {
  await ask('truncate source_states, source_hours, source_shapes, quarantine, outbox')
  await ask(
    `insert into source_states (source, consecutive_failures, paused_until, next_request_at)
     values ('one', 0, default, default), ('other', 3, '2200-01-01', '2200-01-01')`,
  )
})
const other = async () =>
  ask(
    `select s.*, h.requests from source_states s left join source_hours h using (source) where source = 'other'`,
  )
const hours = () => ask('select source, requests, failures from source_hours order by source')

describe('requests', () => {
  test('a turn is taken from its own source alone, within the wait that is wanted', async () => {
    const before = await other()
    const rate = { source: 'one', intervalMs: 600_000 }
    const take = async (toleranceMs: number, maxWaitMs: number) => {
      const waitMs = await takeTurn(db, { ...rate, toleranceMs, maxWaitMs })
      return waitMs === null ? null : Math.max(0, Math.ceil(waitMs / 600_000))
    }
    expect([await take(0, 0), await take(0, 60_000), await take(0, 600_000)]).toEqual([0, null, 1])
    expect([await take(1_200_000, 0), await take(1_200_000, 0)]).toEqual([0, null])
    const { waitMs } = await nextTurn(db, { source: 'one', toleranceMs: 1_200_000 })
    expect(Math.ceil(waitMs / 600_000)).toBe(1)
    expect(await nextTurn(db, { source: 'unknown', toleranceMs: 0 })).toEqual({
      waitMs: 0,
      lastFailure: null,
    })
    expect([await isPaused(db, 'one'), await isPaused(db, 'other')]).toEqual([false, true])
    expect(await other()).toEqual(before)
  })

  test('a success, an answer that is no use, and a failure count for their own source', async () => {
    const before = await other()
    const failure = { source: 'one', reason: 'status 500' }
    const state = async () =>
      (
        await ask(
          `select last_success_at is not null as good, last_failure as failure, consecutive_failures as failures,
             paused_until > now() as paused from source_states where source = 'one'`,
        )
      )[0]
    await noteFailure(db, { ...failure, retryAfterMs: 0, threshold: 5, toleranceMs: 0 })
    await noteAnswer(db, { ...failure, reason: 'no price' })
    expect(await state()).toEqual({ good: false, failure: 'no price', failures: 1, paused: false })
    await noteSuccess(db, 'one')
    expect(await state()).toEqual({ good: true, failure: 'no price', failures: 0, paused: false })
    expect(await hours()).toEqual([{ source: 'one', requests: 3, failures: 2 }])
    expect(await other()).toEqual(before)
  })

  test('from the threshold on, failures in a row pause a source twice as long each time, up to 10 minutes', async () => {
    const before = await other()
    const pauses = async () =>
      (
        await ask<{ pause: number; turn: number }>(
          `select greatest(0, ceil(extract(epoch from paused_until - now()) / 10) * 10)::int as pause,
             greatest(0, ceil(extract(epoch from next_request_at - now()) / 10) * 10)::int as turn
           from source_states where source = 'one'`,
        )
      )[0]!
    const fail = async (retryAfterS = 0) => {
      const failure = { source: 'one', reason: 'status 500' }
      await noteFailure(db, {
        ...failure,
        retryAfterMs: retryAfterS * 1_000,
        threshold: 2,
        toleranceMs: 20_000,
      })
      return await pauses()
    }
    for (const pause of [0, 30, 60, 120, 240, 480, 600, 600])
      expect(await fail()).toEqual({ pause, turn: pause && pause + 20 })
    // Who asks for more gets it, and a later failure does not shorten it.
    expect([await fail(900), await fail()]).toEqual(Array(2).fill({ pause: 900, turn: 920 }))
    await ask(
      `update source_states set consecutive_failures = 0, paused_until = default, next_request_at = default
       where source = 'one'`,
    )
    expect([await fail(40), await fail()]).toEqual(Array(2).fill({ pause: 40, turn: 60 }))
    expect(await other()).toEqual(before)
  })

  test('calls that were counted elsewhere add to what is known, and older news replaces no newer', async () => {
    const call = { source: 'new', calls: 2, failures: 0, succeededAt: null, failedAt: null, failure: null }
    const known = () =>
      ask(
        `select source, last_success_at as good, last_failure_at as bad, last_failure as why, consecutive_failures as row
         from source_states where source <> 'other' order by source`,
      )
    const failed = { calls: 3, failures: 2, failedAt: after(5), failure: 'status 500' }
    await noteCalls(pool, [
      { ...call, succeededAt: after(9) },
      { ...call, ...failed, source: 'one' },
    ])
    const [fresh, one] = [
      { source: 'new', good: after(9), bad: null, why: null, row: 0 },
      { source: 'one', good: null, bad: after(5), why: 'status 500', row: 2 },
    ]
    expect(await known()).toEqual([fresh, one])
    await noteCalls(pool, [
      { ...call, ...failed, source: 'one', failedAt: after(4), failure: null },
      { ...call, succeededAt: after(8) },
    ])
    expect(await known()).toEqual([fresh, { ...one, row: 4 }])
    await noteCalls(pool, [
      { ...call, ...failed, source: 'one', failedAt: after(6), failure: 'late', succeededAt: after(7) },
      { ...call, ...failed },
    ])
    expect(await known()).toEqual([
      { ...fresh, bad: after(5), why: 'status 500', row: 2 },
      { ...one, good: after(7), bad: after(6), why: 'late', row: 0 },
    ])
    expect(await hours()).toEqual([
      { source: 'new', requests: 7, failures: 2 },
      { source: 'one', requests: 9, failures: 6 },
    ])
  })

  test('the age of the data of a source is that of its newest row, and never of the future', async () => {
    const ages = () => ask('select source, data_age_s as age from source_states order by source')
    const note = async (...seconds: number[]) => {
      await noteDataAge(db, { source: 'one', times: seconds.map(after), now: AT })
      return await ages()
    }
    const rest = { source: 'other', age: null }
    expect(await note(-90, -60, -120)).toEqual([{ source: 'one', age: 60 }, rest])
    expect(await note()).toEqual([{ source: 'one', age: 60 }, rest])
    expect(await note(-90, 60)).toEqual([{ source: 'one', age: 0 }, rest])
  })
})

describe('quarantine', () => {
  const rows = () =>
    ask(
      `select concat_ws(' ', source, area, reason, payload->>'n', retry_state, retry_failure) as row from quarantine
       order by id`,
    ).then((found) => found.map((one) => (one as { row: string }).row))
  const refused = { source: 'one', area: 'prices', fetchedAt: AT }
  const put = (n: number, rest: Partial<typeof refused & { reason: string }> = {}) => {
    const { reason = 'odd', ...of } = rest
    return quarantineRows(db, { ...refused, ...of, quarantined: [{ reason, payload: { n } }] })
  }

  test('the same row of a source with the same reason is kept once a day', async () => {
    await put(1)
    await put(1, { fetchedAt: after(DAY - 1) })
    expect(await rows()).toEqual(['one prices odd 1'])
    await put(2)
    await put(1, { reason: 'no price' })
    await put(1, { source: 'other' })
    await put(1, { area: 'wires' })
    await put(1, { fetchedAt: after(DAY) })
    expect(await rows()).toEqual([
      'one prices odd 1',
      'one prices odd 2',
      'one prices no price 1',
      'other prices odd 1',
      'one wires odd 1',
      'one prices odd 1',
    ])
  })

  test('a run that an operator asked for marks the rows that it refuses again, and no others', async () => {
    await put(1)
    await put(2)
    await put(1, { source: 'other' })
    await put(1, { area: 'wires' })
    await put(3)
    await ask(
      `update quarantine set retry_state = case when payload->>'n' = '3' then 'failed' else 'asked' end`,
    )
    const all = await rows()
    const run = (isRetry: boolean, ...payloads: number[]) =>
      ingestion.run({ activity: 'refreshQuotes', input: {}, isRetry }, () =>
        quarantineRows(db, {
          ...refused,
          quarantined: payloads.map((n) => ({ reason: 'odder', payload: { n } })),
        }),
      )
    await run(true)
    await run(false, 1)
    expect(await rows()).toEqual([...all, 'one prices odder 1'])
    await run(true, 1, 3)
    expect(await rows()).toEqual([
      ...all.with(0, 'one prices odder 1 refused'),
      'one prices odder 1',
      'one prices odder 3',
    ])
  })

  test('a retried row leaves when its source was asked and it did not come again', async () => {
    await ask(
      `insert into source_states (source, last_success_at, last_failure_at, last_failure) values
         ('passes', $2, $1, 'earlier'), ('fails', $2, $2, 'status 500'), ('idle', $1, $1, 'earlier')`,
      [AT, after(2)],
    )
    await ask(
      `insert into quarantine (source, area, reason, payload, fetched_at, activity, retry_state, retry_at)
       select source, 'prices', 'odd', '{}', $1, 'refreshQuotes', state, $2
       from (values ('passes', 'asked'), ('fails', 'asked'), ('idle', 'asked'), ('unknown', 'asked'),
         ('passes', 'refused'), ('passes', 'asked')) as _ (source, state)`,
      [AT, after(1)],
    )
    const ids = (await ask<{ id: string }>('select id::text from quarantine order by id')).map(({ id }) => id)
    const settle = async (id: string, failure: string | null = null) =>
      settleRetry(db, { id, askedAt: '2026-05-18 12:00:01+00', failure })
    expect(await readRetry(db, { id: ids[0]! })).toMatchObject({ activity: 'refreshQuotes', input: null })
    expect(await readRetry(db, { id: ids[4]! })).toBeNull()
    for (const id of ids.slice(0, 5)) await settle(id)
    await settleRetry(db, { id: ids[5]!, askedAt: '2026-05-18 12:00:00+00', failure: null })
    expect(await rows()).toEqual([
      'fails prices odd failed status 500',
      'idle prices odd failed the source was not asked',
      'unknown prices odd failed the source was not asked',
      'passes prices odd refused',
      'passes prices odd asked',
    ])
    await settle(ids[5]!, 'cannot be read')
    expect((await rows()).at(-1)).toBe('passes prices odd failed cannot be read')
    await ask(`update quarantine set retry_state = 'asked', activity = null`)
    expect(await readRetry(db, { id: ids[5]! })).toBeNull()
  })
  test('what an operator drops fits all that was named', async () => {
    await put(1)
    await put(2, { reason: 'no price' })
    await put(3, { source: 'other' })
    await put(4, { source: 'other', reason: 'no price' })
    const [first] = await ask<{ id: string }>('select id::text from quarantine order by id')
    const count = (filter: QuarantineFilter, dryRun = true) => dropQuarantined(db, { filter, dryRun })
    expect(await count({ source: 'one' })).toBe(2)
    expect(await count({ reason: 'no price' })).toBe(2)
    expect(await count({ id: first!.id, source: 'other' })).toBe(0)
    expect(await count({ id: first!.id })).toBe(1)
    expect(await rows()).toHaveLength(4)
    expect(await count({ source: 'other', reason: 'no price' }, false)).toBe(1)
    expect(await count({ id: first!.id }, false)).toBe(1)
    expect(await rows()).toEqual(['one prices no price 2', 'other prices odd 3'])
  })

  test('rows count by source for as long as they are new', async () => {
    expect(await readQuarantinedWithin(db, { seconds: 60 })).toEqual(new Map())
    await put(1, { fetchedAt: new Date() })
    await put(2, { fetchedAt: new Date() })
    await put(3, { source: 'other' })
    expect(await readQuarantinedWithin(db, { seconds: 3_600 })).toEqual(new Map([['one', 2]]))
  })
})

test('what is known of an operation changes alone, and its recording stays, goes or is replaced as is said', async () => {
  const change = (operation: string, answer?: object | null, source = 'one', changes: unknown[] = []) =>
    changeShape(pool, { source, operation }, (known) => ({
      known: { shape: {}, learnt: (known?.learnt ?? 0) + 1, changes },
      ...(answer !== undefined && { answer }),
    }))
  const kept = () => readKeptAnswers(db, 'one')
  await change('/b', { n: 1 })
  await change('/a', { n: 2 })
  await change('/a', { n: 3 }, 'other', [{}])
  expect(await kept()).toEqual([
    { operation: '/a', answer: { n: 2 } },
    { operation: '/b', answer: { n: 1 } },
  ])
  await change('/a')
  await change('/b', null, 'one', [{}])
  await changeShape(pool, { source: 'one', operation: '/c' }, () => null)
  expect(await kept()).toEqual([{ operation: '/a', answer: { n: 2 } }])
  await change('/a', { n: 4 })
  expect(await kept()).toEqual([{ operation: '/a', answer: { n: 4 } }])
  expect(await changedOperations(db, 'one')).toEqual(['/b'])
  expect(await ask('select source, operation, learnt from source_shapes order by 1, 2')).toEqual([
    { source: 'one', operation: '/a', learnt: 3 },
    { source: 'one', operation: '/b', learnt: 2 },
    { source: 'other', operation: '/a', learnt: 1 },
  ])
})

test('sixty operations of a source are known, and those go on to change', async () => {
  const learn = (source: string, operation: string) =>
    changeShape(pool, { source, operation }, (known) => ({
      known: { shape: {}, learnt: (known?.learnt ?? 0) + 1, changes: [] },
    }))
  await ask(
    `insert into source_shapes (source, operation, shape, learnt, changes)
     select 'one', '/' || n, '{}', 1, '[]' from generate_series(1, 59) n`,
  )
  for (const operation of ['/60', '/61', '/1']) await learn('one', operation)
  await learn('other', '/1')
  expect(
    await ask(
      `select source, count(*)::int, sum(learnt)::int as learnt from source_shapes group by 1 order by 1`,
    ),
  ).toEqual([
    { source: 'one', count: 60, learnt: 61 },
    { source: 'other', count: 1, learnt: 1 },
  ])
})

test('commands that wait are counted with the age of the oldest, and rows that were written by their table', async () => {
  expect(await readOutbox(db)).toEqual({ pending: 0, oldestS: 0 })
  await ask(
    `insert into outbox (workflow, workflow_id, input, created_at, dispatched_at) values
       ('a', 'a', '{}', now() - interval '2 hours', now()), ('b', 'b', '{}', now() - interval '1 hour', null),
       ('c', 'c', '{}', now(), null)`,
  )
  const { pending, oldestS } = await readOutbox(db)
  expect([pending, Math.floor(oldestS / 3_600)]).toEqual([2, 1])
  await ask(
    `insert into incident_silences (rule, until, reason, created_by)
     select n, now(), '', 'ann' from generate_series(1, 3) n`,
  )
  await ask(`update incident_silences set reason = 'move' where rule = '1'`)
  await expect
    .poll(async () => {
      await ask('select pg_stat_force_next_flush()')
      return (await readRowsWritten(db)).get('incident_silences')
    })
    .toBe(4)
})
