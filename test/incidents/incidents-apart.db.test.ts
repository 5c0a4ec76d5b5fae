import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { type Finding, keepIncidents } from '../../db/incidents/keep-incidents.ts'
import { noteNotices, readDueNotices } from '../../db/incidents/notices.ts'
import {
  acknowledge,
  endSilence,
  readOpenIncidents,
  readSilences,
  silence,
} from '../../db/incidents/operator.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What is kept, told and decided of one incident, at the limits of its times, beside others that are not concerned.

const database = await testDatabase()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test-owner' })
afterAll(() => Promise.all([ingest.close(), owner.close()]))
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const AT = new Date('2026-11-20T12:00:00Z')
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
const [HOUR, DAY] = [3_600, 86_400]

beforeEach(() => ask('truncate incidents, incident_silences, operator_actions cascade'))

const finding = (rule: string, subject: string, rest: Partial<Finding> = {}): Finding => ({
  rule,
  subject,
  severity: 'ticket',
  summary: 'wrong',
  forSeconds: 60,
  ...rest,
})
const keep = (findings: Finding[], seconds: number) =>
  transact(ingest.pool, ({ client }) => keepIncidents(client, { findings, at: after(seconds) }))
/** Seconds of its first finding, of its firing and of its end. */
const kept = async () => {
  const rows = await ask<{ name: string; times: (Date | null)[]; severity: string; summary: string }>(
    `select rule || ' ' || subject as name, severity, summary, array[since, fired_at, resolved_at] as times
     from incidents order by rule, subject, since`,
  )
  return rows.map(({ name, times, severity, summary }) => {
    const seconds = times.map((time) => (time ? (time.getTime() - AT.getTime()) / 1_000 : '-'))
    return [name, ...seconds, severity, summary].join(' ')
  })
}

test('an incident fires when its own time is over, and ends when it is found no more, each by rule and subject', async () => {
  const all = [
    finding('Late', 'x'),
    finding('Late', 'y', { forSeconds: 120 }),
    finding('Stuck', 'x', { forSeconds: 120 }),
    finding('Lost', 'z', { forSeconds: 0 }),
  ]
  await keep(all, 0)
  await keep(all, 59.999)
  expect(await kept()).toEqual([
    'Late x 0 - - ticket wrong',
    'Late y 0 - - ticket wrong',
    'Lost z 0 0 - ticket wrong',
    'Stuck x 0 - - ticket wrong',
  ])
  const worse = all.with(0, finding('Late', 'x', { severity: 'page', summary: 'worse' }))
  await keep(worse, 60)
  await keep(worse, 90)
  expect(await kept()).toEqual([
    'Late x 0 60 - page worse',
    'Late y 0 - - ticket wrong',
    'Lost z 0 0 - ticket wrong',
    'Stuck x 0 - - ticket wrong',
  ])
  // What has fired is kept as ended, what has not is forgotten.
  await keep([all[2]!, all[3]!], 100)
  await keep([all[2]!, all[3]!], 110)
  expect(await kept()).toEqual([
    'Late x 0 60 100 page worse',
    'Lost z 0 0 - ticket wrong',
    'Stuck x 0 - - ticket wrong',
  ])
  await keep([finding('Late', 'x')], 130)
  expect(await kept()).toEqual([
    'Late x 0 60 100 page worse',
    'Late x 130 - - ticket wrong',
    'Lost z 0 0 130 ticket wrong',
  ])
})

test('incidents and silences are forgotten more than 90 days after their end', async () => {
  await ask(
    `insert into incidents (rule, subject, severity, summary, since, fired_at, resolved_at)
     select 'Late', subject, 'ticket', '', $1, $1, ended
     from (values ('limit', $1::timestamptz), ('over', $1::timestamptz - interval '1 ms')) as old (subject, ended)`,
    [after(-90 * DAY)],
  )
  await ask(
    `insert into incident_silences (rule, until, reason, created_by)
     values ('limit', $1, '', 'ann'), ('over', $1::timestamptz - interval '1 ms', '', 'ann'), ('lasts', $2, '', 'ann')`,
    [after(-90 * DAY), after(HOUR)],
  )
  await keep([], 0)
  expect(await ask('select subject from incidents')).toEqual([{ subject: 'limit' }])
  expect(await ask('select rule from incident_silences order by rule')).toEqual([
    { rule: 'lasts' },
    { rule: 'limit' },
  ])
})

interface Seed {
  rule?: string
  severity?: string
  /** Seconds. null: it has not fired. */
  fired?: number | null
  resolved?: number
  acknowledged?: boolean
  /** What receivers were told, in seconds. */
  told?: { to?: string; state?: string; sent?: number; nextTry?: number }[]
}
async function add(subject: string, seed: Seed = {}): Promise<string> {
  const {
    rule = 'Late',
    severity = 'ticket',
    fired = -HOUR,
    resolved,
    acknowledged = false,
    told = [],
  } = seed
  const time = (seconds: number | null | undefined) => (typeof seconds === 'number' ? after(seconds) : null)
  const [row] = await ask<{ id: string }>(
    `insert into incidents (rule, subject, severity, summary, since, fired_at, resolved_at, acknowledged_at)
     values ($1, $2, $3, '', $4, $5, $6, $7) returning id::text`,
    [rule, subject, severity, after(-9 * DAY), time(fired), time(resolved), acknowledged ? AT : null],
  )
  for (const { to = 'hook', state = 'firing', sent, nextTry } of told)
    await ask(
      `insert into incident_notices (incident_id, receiver, state, sent_at, tries, next_try_at)
       values ($1, $2, $3, $4, 1, $5)`,
      [row!.id, to, state, time(sent), time(nextTry)],
    )
  return row!.id
}
const due = async (receivers = ['hook']) =>
  (await transact(ingest.pool, ({ client }) => readDueNotices(client, { receivers, at: AT }))).map(
    ({ subject, state, receiver }) => `${receiver} ${state} ${subject}`,
  )

test('receivers are told of what fires, pages first and then the oldest, and of pages every four hours', async () => {
  await add('unfired', { fired: null, severity: 'page' })
  await add('ticket')
  await add('older ticket', { fired: -2 * HOUR })
  await add('page', { severity: 'page', fired: -60 })
  await add('acknowledged', { severity: 'page', acknowledged: true })
  await add('told ticket', { told: [{ sent: -9 * HOUR }] })
  await add('told page', { severity: 'page', fired: -59, told: [{ sent: -4 * HOUR }] })
  await add('page just told', { severity: 'page', told: [{ sent: -4 * HOUR + 0.001 }] })
  await add('fails', { fired: -HOUR + 1, told: [{ nextTry: 0 }] })
  await add('fails and waits', { told: [{ nextTry: 0.001 }] })
  expect(await due()).toEqual([
    'hook firing page',
    'hook firing told page',
    'hook firing older ticket',
    'hook firing ticket',
    'hook firing fails',
  ])
})

test('a silence covers its rule, and if it names a subject this one alone, until it ends', async () => {
  for (const rule of ['Late', 'Stuck', 'Lost']) for (const subject of ['x', 'y']) await add(subject, { rule })
  await ask(
    `insert into incident_silences (rule, subject, until, reason, created_by)
     values ('Late', null, $2, '', 'ann'), ('Stuck', 'x', $2, '', 'ann'), ('Lost', null, $1, '', 'ann')`,
    [AT, after(0.001)],
  )
  const told = await transact(ingest.pool, ({ client }) =>
    readDueNotices(client, { receivers: ['hook'], at: AT }),
  )
  expect(told.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual(['Stuck y', 'Lost x', 'Lost y'])
})

test('the end of an incident is told once, within a day, to the receivers that were told of it', async () => {
  const [told, ended] = [{ sent: -9 * HOUR }, { state: 'resolved', sent: -9 * HOUR }]
  await add('ended', { severity: 'page', resolved: -HOUR, acknowledged: true, told: [told] })
  await add('told twice', { severity: 'page', resolved: -HOUR, told: [told, ended] })
  await add('never told', { resolved: -HOUR })
  await add('not taken', { resolved: -HOUR, told: [{ nextTry: -60 }] })
  await add('of yesterday', { resolved: -DAY, told: [told] })
  await add('of today', { resolved: -DAY + 0.001, told: [told] })
  await add('told another', { resolved: -HOUR, told: [{ ...told, to: 'chat' }] })
  await add('goes on', { told: [told] })
  expect(await due()).toEqual(['hook resolved ended', 'hook resolved of today'])
  expect(await due(['chat', 'hook'])).toEqual([
    'hook resolved ended',
    'hook resolved of today',
    'chat resolved told another',
    'chat firing goes on',
  ])
})

test('what a receiver took or refused is noted for it alone, and after a success pauses begin anew', async () => {
  await add('x')
  await add('y')
  const note = (failure: string | null, subject: string, receivers = ['hook']) =>
    transact(ingest.pool, async ({ client }) => {
      const notices = await readDueNotices(client, { receivers, at: after(9 * DAY) })
      const own = notices.filter((one) => one.subject === subject)
      await noteNotices(client, { notices: own, failure, at: AT })
      return own
    })
  const noted = () =>
    ask(
      `select i.subject || ' ' || n.receiver as of, n.sent_at is not null as taken, n.tries, n.failure,
         extract(epoch from n.next_try_at - $1)::int as pause
       from incident_notices n join incidents i on i.id = n.incident_id order by 1`,
      [AT],
    )
  await note('status 500', 'x')
  await note('status 500', 'x', ['chat'])
  await note('status 502', 'x')
  await note(null, 'y')
  const [chat, hook, y] = [
    { of: 'x chat', taken: false, tries: 1, failure: 'status 500', pause: 30 },
    { of: 'x hook', taken: false, tries: 2, failure: 'status 502', pause: 60 },
    { of: 'y hook', taken: true, tries: 0, failure: null, pause: null },
  ]
  expect(await noted()).toEqual([chat, hook, y])
  const [taken] = await note(null, 'x')
  expect(await noted()).toEqual([chat, { ...hook, taken: true, tries: 0, failure: null, pause: null }, y])
  // A page is told again, and this time it is refused: it was told all the same.
  await transact(ingest.pool, ({ client }) =>
    noteNotices(client, { notices: [taken!], failure: 'late', at: AT }),
  )
  expect(await noted()).toEqual([chat, { ...hook, taken: true, tries: 1, failure: 'late', pause: 30 }, y])
})

test('an operator acknowledges an incident that fires, once, and no other', async () => {
  const ids = {
    x: await add('x'),
    y: await add('y', { severity: 'page' }),
    ended: await add('ended', { resolved: -60 }),
    unfired: await add('unfired', { fired: null }),
  }
  const done = async (id: string) => acknowledge(owner.db, { id, operator: 'ann' })
  expect(await done(ids.x)).toBe(true)
  expect([await done(ids.x), await done(ids.ended), await done(ids.unfired)]).toEqual([false, false, false])
  expect(await ask('select subject from incidents where acknowledged_at is not null')).toEqual([
    { subject: 'x' },
  ])
  expect(
    (await readOpenIncidents(owner.db)).map(({ subject, acknowledgedBy }) => [subject, acknowledgedBy]),
  ).toEqual([
    ['y', null],
    ['x', 'ann'],
  ])
  expect(await ask('select operator, subject from operator_actions')).toEqual([
    { operator: 'ann', subject: 'Late x' },
  ])
})

test('an operator ends a silence that lasts, and no other', async () => {
  const start = (rule: string, subject: string | null, hours: number) =>
    silence(owner.db, { rule, subject, hours, reason: 'move', operator: 'ann' })
  const [one, other] = [await start('Late', null, 2), await start('Late', 'x', 1)]
  const end = (id: string) => endSilence(owner.db, { id, operator: 'bob' })
  const lasting = async () => (await readSilences(owner.db)).map(({ id }) => id)
  expect(await lasting()).toEqual([other, one])
  expect([await end(other), await end(other), await end('0')]).toEqual([true, false, false])
  expect(await lasting()).toEqual([one])
  expect(await ask('select operator, action, subject from operator_actions order by id')).toEqual([
    { operator: 'ann', action: 'silence incidents for 2 h', subject: 'Late' },
    { operator: 'ann', action: 'silence incidents for 1 h', subject: 'Late x' },
    { operator: 'bob', action: 'end a silence', subject: 'Late x' },
  ])
})
