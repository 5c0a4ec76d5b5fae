import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import type { WebhookWrite } from '../../db/events/webhook-write.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What the writes to one endpoint change, beside another endpoint of the account and one of another account.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const apply = 'select apply_webhook_writes($1, $2)'
const write = (accountId: string, ...writes: WebhookWrite[]) =>
  ask(apply, [accountId, JSON.stringify(writes)])

const ids = { one: randomUUID(), two: randomUUID(), other: randomUUID() }
const nameOf = (id: string) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id
let [ann, bob] = ['', '']

beforeAll(async () => {
  ann = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  bob = (await createAccount(owner.db, { name: 'Bob', plan: 'pro' })).accountId
  for (const [id, account] of [
    [ids.one, ann],
    [ids.two, ann],
    [ids.other, bob],
  ])
    await ask(
      `insert into webhook_endpoints (id, account_id, url, types, key_id, wrapped_key, ciphertext)
       values ($1, $2, 'https://hooks.test', '{coin.price}', 'key', '', '')`,
      [id, account],
    )
})

test('a replay sends the events of its endpoint within its numbers, ten a second, and none that waits already', async () => {
  await ask('select ensure_event_partitions(now())')
  const [wallet] = await ask<{ id: string }>(`insert into wallets (address) values ('0xw0') returning id`)
  const events: [number, string, string[]][] = [
    [1, ann, [ids.one]],
    [2, ann, [ids.one, ids.two]],
    [3, ann, [ids.two]],
    [4, bob, [ids.one, ids.other]],
    [5, ann, [ids.one]],
    [6, ann, [ids.one]],
    [7, ann, [ids.one]],
    [8, ann, [ids.one]],
  ]
  for (const [seq, account, endpoints] of events)
    await ask(
      `insert into account_events (seq, account_id, id, type, wallet_id, body, credits, held, created_at, endpoint_ids)
       values ($1, $2, gen_random_uuid(), 'coin.price', $3, '{}', 0, false, now(), $4)`,
      [seq, account, seq === 6 ? wallet!.id : null, endpoints],
    )
  await ask(
    `insert into deliveries (endpoint_id, seq, attempts, next_at) values
       ($1, 2, 3, null), ($1, 5, 2, 'infinity'), ($1, 8, 3, null), ($2, 2, 4, null)`,
    [ids.one, ids.two],
  )
  const rows = await transact(owner.pool, async ({ client }) => {
    const replay = { kind: 'webhook-replay', id: ids.one, fromSeq: '2', throughSeq: '7' }
    await client.query(apply, [ann, JSON.stringify([replay])])
    const { rows: found } = await client.query<{ id: string; rest: string }>(
      `select endpoint_id as id, concat_ws(' ', seq, attempts, lane,
         case when isfinite(next_at) then round(extract(epoch from next_at - now()) * 1000)::text
           else coalesce(next_at::text, 'ended') end) as rest
       from deliveries order by seq, attempts desc`,
    )
    return found.map(({ id, rest }) => `${nameOf(id)} ${rest}`)
  })
  expect(rows).toEqual([
    'two 2 4 0 ended',
    'one 2 0 0 0',
    // It waits for its endpoint, and keeps its attempts.
    'one 5 2 0 infinity',
    `one 6 0 ${Number(wallet!.id) % 4} 200`,
    'one 7 0 0 300',
    'one 8 3 0 ended',
  ])
})

const watched = async () =>
  (
    await ask<{ id: string; rest: string }>(
      `select coalesce(s.endpoint_id::text, 'stream') as id, concat_ws(' ', coalesce(w.address, 'all'), s.network_id) as rest
       from event_subscriptions s left join wallets w on w.id = s.wallet_id order by 2, 1`,
    )
  )
    .map(({ id, rest }) => `${nameOf(id)} ${rest}`)
    .toSorted()
const named = (...pairs: [address: string, networkId: string | null][]) =>
  pairs.map(([address, networkId]) => ({ address, networkId }))
const most = { endpoints: 9, wallets: 9 }

test('an endpoint stops watching what is named, by wallet and network, and nothing else', async () => {
  const wallets = named(['0xw1', 'ethereum'], ['0xw1', null], ['0xw2', 'ethereum'], ['0xw2', null])
  for (const [account, id] of [
    [ann, ids.one],
    [ann, ids.two],
    [bob, ids.other],
  ] as const)
    for (const what of [wallets, 'all'] as const)
      await write(account, { kind: 'webhook-watch', id, watched: what, most })
  const all = await watched()
  expect(all).toHaveLength(15)
  const unwatch = async (what: typeof wallets | 'all') => {
    await write(ann, { kind: 'webhook-unwatch', id: ids.one, watched: what })
    return await watched()
  }
  const without = (gone: string[]) => all.filter((line) => !gone.includes(line))
  const gone = ['one 0xw1 ethereum', 'one 0xw2']
  expect(await unwatch(named(['0xw1', 'ethereum'], ['0xw2', null]))).toEqual(without(gone))
  expect(await unwatch('all')).toEqual(without([...gone, 'one all']))
  await ask('delete from event_subscriptions')
})

test('a plan counts each wallet of its account once, with those of streams that last and without those of others', async () => {
  const watch = (...addresses: string[]) =>
    write(ann, {
      kind: 'webhook-watch',
      id: ids.one,
      watched: addresses.map((address) => ({ address, networkId: null })),
      most: { endpoints: 9, wallets: 3 },
    })
  await write(bob, {
    kind: 'webhook-watch',
    id: ids.other,
    watched: named(['0xw5', null], ['0xw6', null], ['0xw7', null]),
    most,
  })
  await ask(
    `insert into event_subscriptions (account_id, wallet_id, expires_at)
     select $1, id, now() + case address when '0xw1' then interval '1 hour' else interval '-1 s' end
     from wallets where address in ('0xw1', '0xw2')`,
    [ann],
  )
  await watch('0xw1', '0xw3')
  await watch('0xw5')
  await expect(watch('0xw6')).rejects.toMatchObject({ code: 'SL001' })
  await ask('delete from event_subscriptions where expires_at > now()')
  // It is still watched by the endpoint.
  await expect(watch('0xw6')).rejects.toMatchObject({ code: 'SL001' })
  await write(ann, { kind: 'webhook-unwatch', id: ids.one, watched: named(['0xw1', null]) })
  await watch('0xw6')
})

test('a write changes its endpoint, and no other of its account', async () => {
  const states = async () =>
    (
      await ask<{ id: string; rest: string }>(
        `select id, concat_ws(' ', url, array_to_string(types, '+'), state, reason, failures, key_id, previous_key_id,
           failing_since is null and next_probe_at is null) as rest from webhook_endpoints`,
      )
    )
      .map(({ id, rest }) => `${nameOf(id)} ${rest}`)
      .toSorted()
  await ask(
    `update webhook_endpoints set state = 'disabled', reason = 'gone', failures = 7, failing_since = now(), next_probe_at = now()`,
  )
  const rest = ['other', 'two'].map((name) => `${name} https://hooks.test coin.price disabled gone 7 key f`)
  const change = async (fields: object) => {
    await write(ann, { kind: 'webhook-change', id: ids.one, ...fields })
    return await states()
  }
  const sealed = { keyId: 'newer', wrappedKey: '01', ciphertext: '02' }
  expect(await change({ pause: true })).toEqual([
    'one https://hooks.test coin.price paused Paused by its owner 7 key f',
    ...rest,
  ])
  expect(await change({ restart: true })).toEqual(['one https://hooks.test coin.price new 0 key t', ...rest])
  expect(await change({ types: ['coin.price', 'wallet.balance'] })).toEqual([
    'one https://hooks.test coin.price+wallet.balance new 0 key t',
    ...rest,
  ])
  await write(ann, { kind: 'webhook-rotate', id: ids.one, sealed })
  expect(await states()).toEqual([
    'one https://hooks.test coin.price+wallet.balance new 0 newer key t',
    ...rest,
  ])
  await write(ann, { kind: 'webhook-delete', id: ids.one })
  expect(await states()).toEqual(rest)
  // The ping that the restart asked for, and none for other changes.
  expect(await ask('select account_id, payload from event_sources')).toEqual([
    { account_id: ann, payload: { endpointId: ids.one } },
  ])
})
