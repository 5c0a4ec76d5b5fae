import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// The SQL functions that decide who gets an event, of two accounts.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const value = async (expression: string, values: unknown[] = []) =>
  (await ask<{ value: any }>(`select ${expression} as value`, values))[0]!.value

const a = { all: randomUUID(), wallet: randomUUID(), coin: randomUUID() }
const b = { all: randomUUID() }
let [ann, bob, cy] = ['', '', '']

const subscribe = (account: string, rest: Readonly<Record<string, unknown>>) =>
  ask(
    `insert into event_subscriptions (account_id, endpoint_id, wallet_id, types, expires_at)
     select $1, $2, (select id from wallets where address = $3), $4, now() + $5::interval`,
    [account, rest['endpoint'], rest['wallet'], rest['types'], rest['lasts']],
  )

beforeAll(async () => {
  const accounts = []
  for (const name of ['Ann', 'Bob', 'Cy'])
    accounts.push((await createAccount(owner.db, { name, plan: 'pro' })).accountId)
  ;[ann, bob, cy] = accounts as [string, string, string]
  for (const [id, account, types] of [
    [a.all, ann, ['exchange.synced', 'endpoint.disabled']],
    [a.wallet, ann, ['exchange.synced', 'coin.price']],
    [a.coin, ann, ['coin.price', 'endpoint.disabled']],
    [b.all, bob, ['exchange.synced', 'coin.price', 'endpoint.disabled']],
  ])
    await ask(
      `insert into webhook_endpoints (id, account_id, url, types, key_id, wrapped_key, ciphertext)
       values ($1, $2, 'https://hooks.test', $3, 'key', '', '')`,
      [id, account, types],
    )
  await ask(`insert into wallets (address) values ('0xw1'), ('0xw2'), ('0xw3'), ('0xw4')`)
  await subscribe(ann, { endpoint: a.all })
  await subscribe(ann, { endpoint: a.wallet, wallet: '0xw1' })
  await subscribe(bob, { endpoint: b.all })
})

test('an event of an account alone goes to its own endpoints that want it', async () => {
  const names = new Map<string, string>(
    [...Object.entries(a), ['other', b.all] as const].map(([name, id]) => [id, name]),
  )
  const endpoints = async (account: string, kind: string, endpointId: string | null) =>
    (
      (await value('account_event_endpoints($1, $2, $3::jsonb)', [
        account,
        kind,
        JSON.stringify({ endpointId }),
      ])) as string[]
    )
      .map((id) => names.get(id)!)
      .toSorted()
  expect(await endpoints(ann, 'test.ping', a.wallet)).toEqual(['wallet'])
  expect(await endpoints(ann, 'test.ping', b.all)).toEqual([])
  // Not to the one that is gone.
  expect(await endpoints(ann, 'endpoint.disabled', a.coin)).toEqual(['all'])
  expect(await endpoints(ann, 'endpoint.disabled', a.wallet)).toEqual(['all', 'coin'])
  // One that watches single wallets gets nothing of exchange accounts.
  expect(await endpoints(ann, 'exchange.synced', null)).toEqual(['all'])
  expect(await endpoints(ann, 'coin.price', a.all)).toEqual(['all'])
  expect(await endpoints(ann, 'coin.price', null)).toEqual(['coin', 'wallet'])
  expect(await endpoints(bob, 'coin.price', null)).toEqual(['other'])
  expect(await endpoints(bob, 'coin.price', a.all)).toEqual([])
})

test('an account watches its portfolios while a subscription of its own lasts, for the types that it names', async () => {
  const watches = (account: string, kind = 'exchange.synced') =>
    value('watches_portfolios($1, $2)', [account, kind])
  expect([await watches(ann), await watches(ann, 'exchange.transaction')]).toEqual([true, false])
  expect(await watches(cy)).toBe(false)
  await subscribe(cy, { wallet: '0xw1' })
  expect(await watches(cy)).toBe(false)
  await subscribe(cy, { types: ['exchange.synced'], lasts: '1 hour' })
  expect([await watches(cy), await watches(cy, 'wallet.synced')]).toEqual([true, false])
  await ask('update event_subscriptions set types = null where account_id = $1', [cy])
  expect(await watches(cy, 'wallet.synced')).toBe(true)
  await ask('update event_subscriptions set expires_at = now() where account_id = $1', [cy])
  expect(await watches(cy)).toBe(false)
})

test('watchers of a wallet are those of the wallet, and those of all whose portfolios have it', async () => {
  await ask(
    `insert into portfolios (id, account_id, kind, address, network_id)
    select gen_random_uuid(), a.id, 'wallet', a.address, (select min(id) from networks)
    from (values ($1::uuid, '0xw2'), ($2::uuid, '0xw3'), ($3::uuid, '0xw2')) a (id, address)`,
    [ann, bob, cy],
  )
  const watchers = async () =>
    (
      await ask<{ line: string }>(
        `select a.name || ' ' || w.address as line from event_watchers e join accounts a on a.id = e.account_id
         join wallets w on w.id = e.wallet_id order by 1`,
      )
    ).map(({ line }) => line)
  expect(await watchers()).toEqual(['Ann 0xw1', 'Ann 0xw2', 'Bob 0xw3'])
  await ask(`update event_subscriptions set expires_at = now() + interval '1 hour' where account_id = $1`, [
    cy,
  ])
  expect(await watchers()).toEqual(['Ann 0xw1', 'Ann 0xw2', 'Bob 0xw3', 'Cy 0xw1', 'Cy 0xw2'])
})

test('who watches all portfolios on a network watches those on it, and none that was not read', async () => {
  const { accountId } = await createAccount(owner.db, { name: 'Eve', plan: 'pro' })
  const [one, two] = (await ask<{ id: string }>('select id from networks order by id limit 2')).map(
    ({ id }) => id,
  ) as [string, string]
  await ask(
    `insert into portfolios (id, account_id, kind, address, network_id) values
       (gen_random_uuid(), $1, 'wallet', '0xw2', $2), (gen_random_uuid(), $1, 'wallet', '0xw2', $3),
       (gen_random_uuid(), $1, 'wallet', '0xw3', $3), (gen_random_uuid(), $1, 'wallet', '0xunread', $2),
       (gen_random_uuid(), $1, 'exchange', null, null)`,
    [accountId, one, two],
  )
  const watched = async () =>
    (
      await ask<{ line: string }>(
        `select w.address || ' ' || e.network_id as line from event_watchers e join wallets w on w.id = e.wallet_id
         where e.account_id = $1 order by 1`,
        [accountId],
      )
    ).map(({ line }) => line)
  await ask('insert into event_subscriptions (account_id, network_id) values ($1, $2)', [accountId, two])
  expect(await watched()).toEqual([`0xw2 ${two}`, `0xw3 ${two}`])
  await ask('update event_subscriptions set network_id = null where account_id = $1', [accountId])
  expect(await watched()).toEqual([`0xw2 ${one}`, `0xw2 ${two}`, `0xw3 ${two}`])
  await ask('delete from portfolios where account_id = $1', [accountId])
  await ask('delete from accounts where id = $1', [accountId])
})

test('a stream watches as many wallets as the plan allows, without those of others and those that have expired', async () => {
  const { accountId } = await createAccount(owner.db, { name: 'Dee', plan: 'pro' })
  const watch = (addresses: string[] | null, most: number, lasts: string) =>
    value('watch_events($1, $2, null, $3, $4::interval)', [accountId, addresses, most, lasts])
  const hours = async () =>
    (
      await ask<{ line: string }>(
        `select coalesce(w.address, 'all') || ' ' || round(extract(epoch from expires_at - now()) / 3600) as line
         from event_subscriptions s left join wallets w on w.id = s.wallet_id where account_id = $1 order by 1`,
        [accountId],
      )
    ).map(({ line }) => line)
  expect(await watch(['0xw1', '0xw1', '0xw9'], 2, '10 hours')).toBe(true)
  expect(await watch(['0xw2'], 2, '10 hours')).toBe(false)
  // The same ones again, and all portfolios, are no more. What moves little is not written.
  expect(await watch(['0xw1'], 2, '10 hours 30 minutes')).toBe(true)
  expect(await watch(['0xw9'], 2, '12 hours')).toBe(true)
  expect(await watch(null, 0, '5 hours')).toBe(true)
  expect(await hours()).toEqual(['0xw1 10', '0xw9 12', 'all 5'])
  await ask(`update event_subscriptions set expires_at = now() where account_id = $1`, [accountId])
  expect(await watch(['0xw2', '0xw3'], 2, '1 hour')).toBe(true)
  expect(await watch(['0xw4'], 2, '1 hour')).toBe(false)
})

test('a ticket opens its account once, for a minute, and those that have expired are forgotten', async () => {
  const hashOf = (name: string) => Buffer.from(name.padEnd(32))
  const use = (name: string) => value('use_event_ticket($1)', [hashOf(name)])
  const keep = (name: string, account: string) => value('keep_event_ticket($1, $2)', [hashOf(name), account])
  const expire = (name: string) =>
    ask('update event_tickets set expires_at = now() where hash = $1', [hashOf(name)])
  for (const [hash, account] of [
    ['one', ann],
    ['two', bob],
    ['late', ann],
  ] as const)
    await keep(hash, account)
  await expire('late')
  expect([await use('two'), await use('two'), await use('three'), await use('late')]).toEqual([
    bob,
    null,
    null,
    null,
  ])
  await keep('late', ann)
  await expire('late')
  await keep('four', bob)
  const left = await ask<{ hash: Buffer }>('select hash from event_tickets order by hash')
  expect(left.map(({ hash }) => hash.toString().trim())).toEqual(['four', 'one'])
})

test.each([
  // value, above, below, margin
  [[10, 10, null, 1], 1],
  [[9.5, 10, null, 1], 0],
  [[9, 10, null, 1], -1],
  [[10, null, 10, 1], 1],
  [[10.5, null, 10, 1], 0],
  [[11, null, 10, 1], -1],
])('a value, its limits and the margin behind them %o: side %i', async (values, side) => {
  expect(await value('alert_side($1, $2, $3, $4)', values)).toBe(side)
})

test('the events and alerts of what is deleted go with it, and no others', async () => {
  await ask('select ensure_event_partitions(now())')
  for (const account of [ann, bob])
    await ask(
      `insert into account_events (seq, account_id, id, type, body, credits, held, created_at)
       select nextval('event_numbers'), $1, gen_random_uuid(), 'coin.price', '{}', 0, false, now()`,
      [account],
    )
  const [ofAnn, ofBob] = await Promise.all(
    [ann, bob].map((account) => value(`(select id from portfolios where account_id = $1)`, [account])),
  )
  const kinds = [
    ['portfolio.value', ofAnn],
    ['portfolio.value', ofBob],
    ['coin.price', ofAnn],
  ]
  for (const [kind, subject] of kinds)
    await ask(
      `insert into alert_rules (id, account_id, kind, subject, rule) values (gen_random_uuid(), $1, $2, $3, '{}')`,
      [bob, kind, subject],
    )
  await ask('delete from portfolios where id = $1', [ofAnn])
  expect(await ask('select kind, subject from alert_rules order by kind')).toEqual([
    { kind: 'coin.price', subject: ofAnn },
    { kind: 'portfolio.value', subject: ofBob },
  ])
  await ask('delete from portfolios where account_id = $1', [ann])
  await ask('delete from accounts where id = $1', [ann])
  expect(await ask('select account_id from account_events')).toEqual([{ account_id: bob }])
})

test('old transactions that were told and subscriptions that have expired are dropped, and no others', async () => {
  const wallet = await value('(select min(id) from wallets)')
  for (const [hash, days] of [
    ['old', 31],
    ['new', 29],
  ])
    await ask(
      `insert into told_transactions (network_id, wallet_id, tx_hash, account_id, endpoint_ids, at)
       values ('n', $1, $2, $3, '{}', now() - make_interval(days => $4))`,
      [wallet, hash, bob, days],
    )
  await ask('delete from event_subscriptions where expires_at <= now()')
  const subscriptions = () =>
    ask('select * from event_subscriptions order by account_id, endpoint_id, wallet_id')
  const lasting = await subscriptions()
  expect(lasting.length).toBeGreaterThan(0)
  await subscribe(bob, { wallet: '0xw4', lasts: '-1 second' })
  await ask('select drop_old_events($1, $2)', [['pro'], [30]])
  expect(await ask('select tx_hash from told_transactions')).toEqual([{ tx_hash: 'new' }])
  expect(await subscriptions()).toEqual(lasting)
})
