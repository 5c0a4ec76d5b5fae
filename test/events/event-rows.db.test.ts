import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { countWebhooks } from '../../db/events/count-webhooks.ts'
import { deleteAlert, listAlerts } from '../../db/events/operator-alerts.ts'
import { listWebhooks } from '../../db/events/operator-read.ts'
import { notePortfolioValues, readPortfolioRules } from '../../db/events/portfolio-rules.ts'
import { countAlerts, knownAlerts, readAlerts } from '../../db/events/read-alerts.ts'
import { readEventRange, readEvents, readNewEvents } from '../../db/events/read-events.ts'
import { countWatched, readDeliveries, readReplay, readWebhooks } from '../../db/events/read-webhooks.ts'
import {
  announceDisabled,
  lockHealth,
  pauseOverfull,
  releaseDeliveries,
  writeAttempts,
  writeDelivered,
  writeHealth,
} from '../../db/events/record-attempts.ts'
import { tailEvents } from '../../db/events/tail-events.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What is read and written of the events, endpoints and alerts of one account among those of another.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
afterAll(close)
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(api.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const startMs = Date.now()
/** 60 is now. */
const minute = (n: number) => new Date(startMs - (60 - n) * 60_000)
const NOW = minute(60)
const ids = {
  // Of endpoints: those of Ann begin with an a.
  a1: randomUUID(),
  a2: randomUUID(),
  a3: randomUUID(),
  b1: randomUUID(),
  // Of alerts: those of Ann begin with an r.
  r1: randomUUID(),
  r2: randomUUID(),
  r3: randomUUID(),
  q1: randomUUID(),
}
const nameOf = (id: string | null) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id
let [ann, bob] = ['', '']

beforeAll(async () => {
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  const endpoints: [string, string, string, string | null, number][] = [
    [ids.a1, ann, 'active', null, 2],
    [ids.a2, ann, 'paused', '10,000 events wait for it', 1],
    [ids.a3, ann, 'paused', 'its account', 3],
    [ids.b1, bob, 'disabled', 'events wait for it', 0],
  ]
  for (const [id, account, state, reason, n] of endpoints)
    await ask(
      `insert into webhook_endpoints (id, account_id, url, types, state, reason, key_id, wrapped_key, ciphertext, created_at)
       values ($1, $2, 'https://hooks.test', '{coin.price}', $3, $4, 'key', '', '', $5)`,
      [id, account, state, reason, minute(n)],
    )
  await ask('select ensure_event_partitions($1)', [minute(0)])
  await ask('select ensure_event_partitions($1)', [NOW])
  await ask(`insert into wallets (address) values ('0xw1'), ('0xw2'), ('0xw3')`)
  const events: [number, string, string, string | null, string[]][] = [
    [1, ann, 'wallet.balance', '0xw1', [ids.a1]],
    [2, bob, 'wallet.balance', '0xw1', [ids.b1]],
    [3, ann, 'coin.price', null, [ids.a1, ids.a2]],
    [4, ann, 'wallet.balance', '0xw2', []],
    [5, bob, 'coin.price', null, []],
    [6, ann, 'coin.price', null, [ids.a1]],
  ]
  for (const [seq, account, type, address, endpointIds] of events)
    await ask(
      `insert into account_events (seq, account_id, id, type, wallet_id, body, credits, held, created_at, endpoint_ids)
       values ($1, $2, gen_random_uuid(), $3, (select id from wallets where address = $4), $5, 0, false, $6, $7)`,
      [
        seq,
        account,
        type,
        address,
        JSON.stringify({ data: { address, coinId: 'c' } }),
        minute(seq),
        endpointIds,
      ],
    )
  await ask(`select setval('event_numbers', 9)`)
  await ask('insert into dropped_events values ($1, 2)', [bob])
  await ask(
    `insert into deliveries (endpoint_id, seq, attempts, next_at) values
       ($1, 1, 1, null), ($1, 3, 2, 'infinity'), ($1, 6, 3, 'infinity'), ($2, 3, 0, $4), ($3, 2, 1, 'infinity')`,
    [ids.a1, ids.a2, ids.b1, minute(50)],
  )
  const subscribe = (
    account: string,
    endpoint: string | null,
    address: string | null,
    expires: Date | null,
  ) =>
    ask(
      `insert into event_subscriptions (account_id, endpoint_id, wallet_id, expires_at)
       values ($1, $2, (select id from wallets where address = $3), $4)`,
      [account, endpoint, address, expires],
    )
  await subscribe(ann, ids.a1, '0xw1', null)
  await subscribe(ann, ids.a1, '0xw2', null)
  await subscribe(ann, ids.a2, null, null)
  await subscribe(ann, null, '0xw2', minute(120))
  await subscribe(ann, null, '0xw3', minute(0))
  await subscribe(bob, ids.b1, '0xw3', null)
  const rule = (id: string, account: string, kind: string, subject: string, n: number, rest: unknown[]) =>
    ask(
      `insert into alert_rules (id, account_id, kind, subject, created_at, rule, endpoint_id, fired_at, value_usd)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, account, kind, subject, minute(n), ...rest],
    )
  const moved = { changePercent: 5, everySeconds: 600 }
  await rule(ids.r1, ann, 'portfolio.value', 'p2', 3, [moved, ids.a1, minute(50), 100])
  await rule(ids.r2, ann, 'portfolio.value', 'p1', 2, [moved, null, minute(49.9), null])
  await rule(ids.r3, ann, 'coin.price', 'bitcoin', 1, [{ above: 1 }, null, null, null])
  await rule(ids.q1, bob, 'portfolio.value', 'p3', 0, [moved, null, null, -50])
})

test('endpoints count by state, those that were paused for too many events, and events that wait', async () => {
  const { endpoints, overfull, waiting } = await countWebhooks(db)
  expect(Object.fromEntries(endpoints)).toEqual({ active: 1, paused: 2, disabled: 1 })
  expect([overfull, waiting]).toEqual([1, 4])
})

test('an operator sees endpoints that do not work first, by account and age, and what waits for each', async () => {
  expect((await listWebhooks(owner.db)).map((row) => [nameOf(row.id), row.account, row.waiting])).toEqual([
    ['a2', 'Ann', 1],
    ['a3', 'Ann', 0],
    ['b1', 'Bob', 1],
    ['a1', 'Ann', 2],
  ])
})

test('an account has its endpoints, the oldest first, with the wallets of each', async () => {
  const read = async (accountId: string, id: string | null = null) =>
    (await readWebhooks(api.db, { accountId, id })).map((row) => [
      nameOf(row.id),
      row.wallets,
      row.watchesPortfolios,
    ])
  expect(await read(ann)).toEqual([
    ['a2', 0, true],
    ['a1', 2, false],
    ['a3', 0, false],
  ])
  expect(await read(ann, ids.a1)).toEqual([['a1', 2, false]])
  expect(await read(ann, ids.b1)).toEqual([])
  expect(await read(bob)).toEqual([['b1', 1, false]])
})

test('wallets are watched once, until their time is over', async () => {
  expect(await countWatched(api.db, { accountId: ann, addresses: ['0xw2', '0xw3'] })).toEqual({
    known: 1,
    total: 2,
  })
  expect(await countWatched(api.db, { accountId: bob, addresses: ['0xw2'] })).toEqual({ known: 0, total: 1 })
})

test('deliveries of an endpoint come newest first, before a number', async () => {
  const read = async (accountId: string, beforeSeq: string | null, limit = 5) =>
    (await readDeliveries(api.db, { accountId, endpointId: ids.a1, beforeSeq, limit })).map((row) => [
      row.seq,
      row.type,
      row.isOpen,
      row.nextAt,
    ])
  const [six, three, one] = [
    ['6', 'coin.price', true, null],
    ['3', 'coin.price', true, null],
    ['1', 'wallet.balance', false, null],
  ]
  expect(await read(ann, null)).toEqual([six, three, one])
  expect(await read(ann, '6')).toEqual([three, one])
  expect(await read(ann, null, 1)).toEqual([six])
  expect(await read(bob, null)).toEqual([])
})

test('a replay has the events of the account that the endpoint was to get, from a number or a time on', async () => {
  const read = (rest: Partial<Parameters<typeof readReplay>[1]>) =>
    readReplay(api.db, { accountId: ann, endpointId: ids.a1, fromSeq: '0', from: null, limit: 5, ...rest })
  expect(await read({})).toEqual({ events: 3, fromSeq: '1', throughSeq: '6' })
  expect(await read({ limit: 2 })).toEqual({ events: 2, fromSeq: '1', throughSeq: '3' })
  expect(await read({ fromSeq: '3' })).toEqual({ events: 2, fromSeq: '3', throughSeq: '6' })
  expect(await read({ from: minute(2) })).toEqual({ events: 2, fromSeq: '3', throughSeq: '6' })
  expect(await read({ endpointId: ids.a3 })).toBeNull()
  expect(await read({ accountId: bob })).toBeNull()
})

test('events are read by account, number, type and wallet', async () => {
  const read = async (rest: Partial<Parameters<typeof readEvents>[1]>) =>
    (
      await readEvents(api.db, {
        accountId: ann,
        types: null,
        addresses: null,
        after: '0',
        limit: 5,
        ...rest,
      })
    ).map(({ seq }) => Number(seq))
  expect(await read({})).toEqual([1, 3, 4, 6])
  expect(await read({ after: '3', limit: 1 })).toEqual([4])
  expect(await read({ types: ['coin.price'] })).toEqual([3, 6])
  expect(await read({ addresses: ['0xw1', '0xw3'] })).toEqual([1])
  expect(await read({ types: ['coin.price'], addresses: ['0xw1'] })).toEqual([])
  expect(await readEventRange(api.db, bob)).toEqual({
    droppedTo: '2',
    newest: '6',
    given: '9',
    oldestKept: '2',
  })
  expect(await readEventRange(api.db, ann)).toEqual({
    droppedTo: '0',
    newest: '6',
    given: '9',
    oldestKept: '1',
  })
})

test('new events come with the number up to which there are no others', async () => {
  const read = async (accountIds: string[], after: string, limit: number) => {
    const { events, through } = await readNewEvents(api.db, { accountIds, after, limit })
    return [events.map(({ seq, address }) => `${seq} ${address ?? '-'}`), through]
  }
  expect(await read([bob], '0', 5)).toEqual([['2 0xw1', '5 -'], '6'])
  expect(await read([bob, ann], '1', 2)).toEqual([['2 0xw1', '3 -'], '3'])
  expect(await read([bob], '5', 5)).toEqual([[], '6'])
  expect(await read([ann], '6', 5)).toEqual([[], '6'])
  // A reader may be ahead of a replica.
  expect(await read([ann], '8', 5)).toEqual([[], '8'])
})

test('an operator reads the newest events, or those after a number, always in their order', async () => {
  const read = async (accountId: string | null, after: string | null, limit: number) =>
    (await tailEvents(db, { accountId, after, limit })).map(({ seq, subject }) => `${seq} ${subject}`)
  expect(await read(null, null, 2)).toEqual(['5 c', '6 c'])
  expect(await read(ann, null, 2)).toEqual(['4 0xw2', '6 c'])
  expect(await read(ann, '1', 2)).toEqual(['3 c', '4 0xw2'])
  expect(await read(bob, '2', 9)).toEqual(['5 c'])
})

test('an account has its alerts, the oldest first, and an operator those of all', async () => {
  const page = async (offset: number, limit: number) =>
    (await readAlerts(api.db, { accountId: ann, offset, limit })).map(({ id }) => nameOf(id))
  expect(await page(0, 9)).toEqual(['r3', 'r2', 'r1'])
  expect(await page(1, 1)).toEqual(['r2'])
  expect([await countAlerts(api.db, ann), await countAlerts(api.db, bob)]).toEqual([3, 1])
  const known = await knownAlerts(api.db, { accountId: ann, ids: [ids.r1, ids.q1] })
  expect([...known].map(nameOf)).toEqual(['r1'])
  const listed = async (accountId: string | null) =>
    (await listAlerts(owner.db, { accountId })).map(({ id, account }) => `${nameOf(id)} ${account}`)
  expect(await listed(null)).toEqual(['r3 Ann', 'r2 Ann', 'r1 Ann', 'q1 Bob'])
  expect(await listed(bob)).toEqual(['q1 Bob'])
})

test('rules on portfolios are due after their time, in the order of their portfolios', async () => {
  const read = async (after: { portfolioId: string; id: string } | null, now = NOW, limit = 9) =>
    (await readPortfolioRules(db, { after, now, limit })).map(({ id }) => nameOf(id))
  const due = new Date(minute(50).getTime() + 600_000)
  expect(await read(null, due)).toEqual(['r2', 'r1', 'q1'])
  expect(await read(null, new Date(due.getTime() - 1_000))).toEqual(['r2', 'q1'])
  expect(await read(null, due, 1)).toEqual(['r2'])
  expect(await read({ portfolioId: 'p2', id: ids.r1 }, due)).toEqual(['q1'])
})

test('a rule tells of a value that has moved from the one that it knows, and one without a value only gets one', async () => {
  const at = minute(60)
  await notePortfolioValues(db, {
    now: at,
    moved: [
      { id: ids.r1, from: '90', to: '200' },
      { id: ids.r2, from: null, to: '7' },
      { id: ids.q1, from: '-50', to: '-75' },
    ],
  })
  const rules = await ask<{ id: string; value: number | null; fired: boolean }>(
    `select id, value_usd::float8 as value, fired_at is not distinct from $1 as fired from alert_rules
     where kind = 'portfolio.value' order by subject`,
    [at],
  )
  expect(rules.map(({ id, value, fired }) => [nameOf(id), value, fired])).toEqual([
    ['r2', 7, false],
    // Another process has moved it.
    ['r1', 100, false],
    ['q1', -75, true],
  ])
  const told = await ask<{ account_id: string; payload: { data: object } }>(
    'delete from event_sources returning account_id, payload',
  )
  expect(told).toMatchObject([
    { account_id: bob, payload: { data: { valueUsd: -75, previousValueUsd: -50, changePercent: -50 } } },
  ])
})

test('what becomes of attempts changes only their own deliveries and endpoints', async () => {
  const deliveries = async () =>
    (
      await ask<{ endpoint_id: string; line: string }>(
        `select endpoint_id, concat_ws(' ', seq, attempts, next_at is null, coalesce(status, 0)) as line from deliveries
         order by seq, attempts`,
      )
    ).map((row) => `${nameOf(row.endpoint_id)} ${row.line}`)
  const before = ['a1 1 1 t 0', 'b1 2 1 f 0', 'a2 3 0 f 0', 'a1 3 2 f 0', 'a1 6 3 f 0']
  expect(await deliveries()).toEqual(before)
  const takenUntil = minute(55)
  await ask('update deliveries set next_at = $1 where seq in (2, 3)', [takenUntil])
  const attempt = (endpointId: string, seq: string, until = takenUntil) => ({
    endpointId,
    seq,
    takenUntil: until,
    status: 200,
    ms: 5,
    failure: null,
    nextAt: null,
    deliveredAt: NOW,
  })
  // Only the endpoint that works, and has not failed, needs nothing more than this.
  const ended = await writeDelivered(pool, [
    attempt(ids.a1, '3', minute(54)),
    attempt(ids.a2, '3'),
    attempt(ids.a1, '3'),
  ])
  expect([...ended]).toEqual([2])
  expect(await deliveries()).toEqual(before.with(3, 'a1 3 3 t 200'))
  await transact(pool, async ({ client }) => {
    await writeAttempts(client, [attempt(ids.b1, '2'), attempt(ids.a2, '3', minute(54))])
    const healths = await lockHealth(client, [ids.a3, randomUUID()])
    expect([...healths.keys()]).toEqual([ids.a3])
    await writeHealth(client, new Map([[ids.a3, { ...healths.get(ids.a3)!, state: 'active', failures: 2 }]]))
    await releaseDeliveries(client, { endpointId: ids.a1, from: NOW })
    await announceDisabled(client, [{ id: ids.b1, reason: 'gone' }])
  })
  expect(await deliveries()).toEqual([
    'a1 1 1 t 0',
    'b1 2 2 t 200',
    'a2 3 0 f 0',
    'a1 3 3 t 200',
    'a1 6 0 f 0',
  ])
  const states = await ask<{ id: string; state: string; failures: number }>(
    'select id, state, failures from webhook_endpoints order by created_at',
  )
  expect(states.map(({ id, state, failures }) => `${nameOf(id)} ${state} ${failures}`)).toEqual([
    'b1 disabled 0',
    'a2 paused 0',
    'a1 active 0',
    'a3 active 2',
  ])
  expect(await ask('delete from event_sources returning account_id, kind')).toEqual([
    { account_id: bob, kind: 'endpoint.disabled' },
  ])
})

test('endpoints for which as many events wait are paused, and their accounts are told', async () => {
  await ask(`update webhook_endpoints set state = 'active'`)
  await ask(`update deliveries set next_at = case when endpoint_id = $1 or seq = 6 then now() end`, [ids.a2])
  await ask(`insert into deliveries (endpoint_id, seq, next_at) values ($1, 6, now()), ($2, 6, null)`, [
    ids.a2,
    ids.b1,
  ])
  expect(await transact(pool, ({ client }) => pauseOverfull(client, 2))).toBe(1)
  expect(await transact(pool, ({ client }) => pauseOverfull(client, 2))).toBe(0)
  expect(await ask(`select id, reason from webhook_endpoints where state = 'paused'`)).toEqual([
    { id: ids.a2, reason: '2 events wait for it' },
  ])
  expect(await ask('delete from event_sources returning account_id, kind')).toEqual([
    { account_id: ann, kind: 'endpoint.disabled' },
  ])
})

test('an operator deletes one alert', async () => {
  expect([await deleteAlert(owner.db, { id: ids.r1 }), await deleteAlert(owner.db, { id: ids.r1 })]).toEqual([
    true,
    false,
  ])
  expect((await listAlerts(owner.db, { accountId: null })).map(({ id }) => nameOf(id))).toEqual([
    'r3',
    'r2',
    'q1',
  ])
})
