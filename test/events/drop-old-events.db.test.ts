import { afterAll, expect, test } from 'vitest'
import { dropOldEvents } from '../../db/events/drop-old-events.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
const { api, pool } = world
afterAll(world.close)
const ask = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)
let seq = 0

/** An event of some days ago, as if it had been published then. */
async function publishedAgo(accountId: string, days: number): Promise<string> {
  const at = new Date(Date.now() - days * DAY_MS).toISOString()
  await ask(`select ensure_event_partitions('${at}')`)
  await ask(`insert into account_events (seq, account_id, id, type, body, credits, held, created_at)
    values (${++seq}, '${accountId}', uuidv7(), 'test.ping', '{}', 0, false, '${at}')`)
  return String(seq)
}

test('events are kept for the days of the plan, and their readers learn that they have missed some', async () => {
  const [free, paid] = [await api.newAccount({ plan: 'free' }), await api.newAccount({ plan: 'pro' })]
  const [, oldPaid] = [await publishedAgo(free.accountId, 40), await publishedAgo(paid.accountId, 40)]
  const oldFree = await publishedAgo(free.accountId, 4)
  const kept = [
    await publishedAgo(paid.accountId, 29),
    await publishedAgo(paid.accountId, 4),
    await publishedAgo(free.accountId, 2),
  ]
  expect(await dropOldEvents(pool)).toBeGreaterThan(0)
  const left = await ask<{ seq: string }>('select seq from account_events order by seq')
  expect(left.map((row) => row.seq)).toEqual(kept)
  const dropped = await ask<{ account_id: string; seq: string }>('select account_id, seq from dropped_events')
  expect(new Map(dropped.map((row) => [row.account_id, row.seq]))).toEqual(
    new Map([
      [free.accountId, oldFree],
      [paid.accountId, oldPaid],
    ]),
  )
  const days = await ask(
    `select 1 from pg_inherits where inhparent = 'account_events'::regclass
       and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') < current_date - 30`,
  )
  expect(days).toEqual([])
  await ask(`select setval('event_numbers', ${seq})`)
  expect((await api.get('/events?after=1', paid.key)).status).toBe(410)
  expect((await api.get(`/events?after=${oldPaid}`, paid.key)).status).toBe(200)
})

test('the deliveries of dropped events go with them', async () => {
  const { accountId } = await api.newAccount({ plan: 'free' })
  const [old, kept] = [await publishedAgo(accountId, 4), await publishedAgo(accountId, 2)]
  await ask(`insert into webhook_endpoints (id, account_id, url, types, key_id, wrapped_key, ciphertext)
    values (uuidv7(), '${accountId}', 'https://hooks.example.com', '{test.ping}', 'k', '', '')`)
  await ask(
    `insert into deliveries (endpoint_id, seq) select id, unnest(array[${old}, ${kept}]) from webhook_endpoints`,
  )
  await dropOldEvents(pool)
  expect(await ask('select seq from deliveries')).toEqual([{ seq: kept }])
})

test('subscriptions that have expired are forgotten', async () => {
  const { key } = await api.newAccount()
  await api.get('/events', key)
  await ask('update event_subscriptions set expires_at = now()')
  await dropOldEvents(pool)
  expect(await ask('select 1 from event_subscriptions')).toEqual([])
})
