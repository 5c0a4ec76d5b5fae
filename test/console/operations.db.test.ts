import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query, readResult } from '../setup/query.ts'

// Which rows the console reads, and which of them its functions change, with rows beside them that are of something else.

const database = await testDatabase()
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const resultOf = (call: string, values?: unknown[]) => readResult(database.ownerUrl, call, values)
const hash = () => randomBytes(32)
const actions = () => ask('select operator, action, subject from operator_actions order by id')

async function newAccount(name: string, columns = '', values = '') {
  const [row] = await ask<{ id: string }>(
    `insert into accounts (name, plan${columns}) values ($1, 'starter'${values}) returning id`,
    [name],
  )
  return row!.id
}
/** A closed period and the open one, in which as many credits were spent. */
const periodsOf = (accountId: string, posted: number) =>
  ask(
    `insert into credit_periods (account_id, n, starts_at, ends_at, granted, posted, is_open, fresh_until)
     select $1, n, now(), now() + interval '1 day', 1000, case n when 1 then $2::int else 999 end, n = 1, now()
     from generate_series(0, 1) n`,
    [accountId, posted],
  )

test('accounts that are open have the limits agreed for them, else those of their plan, and their open period', async () => {
  const own = await newAccount('own', ', credits_per_month, requests_per_second', ', 7, 3')
  const plain = await newAccount('plain')
  await newAccount('closed')
  await periodsOf(own, 5)
  await periodsOf(plain, 6)
  const columns =
    'name, credits_per_month::int as credits, requests_per_second as rate, posted::int as posted'
  expect(await ask(`select ${columns} from operations.accounts where name <> 'test' order by name`)).toEqual([
    { name: 'own', credits: 7, rate: 3, posted: 5 },
    { name: 'plain', credits: 1_000_000, rate: 30, posted: 6 },
  ])

  const days = `(now() at time zone 'UTC')::date`
  await ask(
    `insert into usage_days (account_id, day, endpoint, calls, credits)
     select id, ${days} - age, 'GET /news', calls, 10 * calls from (values
       ($1::uuid, 0, 1), ($1, 29, 2), ($1, 30, 4), ($2, 0, 8), ($2, 31, 16)) as used (id, age, calls)`,
    [own, plain],
  )
  const customers =
    'select name, calls::int, credits::int, posted::int from operations.customers order by name'
  expect(await ask(customers)).toEqual([
    { name: 'own', calls: 3, credits: 30, posted: 5 },
    { name: 'plain', calls: 8, credits: 80, posted: 6 },
  ])
  const usage = `select ${days} - day as age, calls::int, credits::int from operations.usage order by day desc`
  expect(await ask(usage)).toEqual([
    { age: 0, calls: 9, credits: 90 },
    { age: 29, calls: 2, credits: 20 },
  ])
})

test('an incident that fires says until when it is silent and who was told; others are not shown', async () => {
  const insert = (rule: string, subject: string, fired: string, resolved = 'null') =>
    ask<{ id: string }>(
      `insert into incidents (rule, subject, severity, summary, since, fired_at, resolved_at)
       values ($1, $2, 'page', '', now(), ${fired}, ${resolved}) returning id`,
      [rule, subject],
    )
  const [own] = await insert('Late', 'a', 'now()')
  await insert('Late', 'b', 'now()')
  const [other] = await insert('Down', 'a', 'now()')
  const [[waits], [over]] = [await insert('Late', 'c', 'null'), await insert('Late', 'd', 'now()', 'now()')]
  const silence = (rule: string, subject: string | null, hours: number) =>
    ask(
      `insert into incident_silences (rule, subject, until, reason, created_by)
       values ($1, $2, now() + $3 * interval '1 hour', '', 'ann')`,
      [rule, subject, hours],
    )
  await silence('Late', 'a', 3)
  await silence('Late', 'a', 2)
  await silence('Late', null, 1)
  await silence('Late', 'b', -5)
  await silence('Up', 'a', 9)
  const tell = (id: string, receiver: string, state: string, sent: string, failure: string | null) =>
    ask(`insert into incident_notices values ($1, $2, $3, ${sent}, 1, null, $4)`, [
      id,
      receiver,
      state,
      failure,
    ])
  await tell(own!.id, 'mail', 'firing', 'now()', null)
  await tell(own!.id, 'hook', 'firing', 'null', 'refused')
  await tell(own!.id, 'chat', 'resolved', 'now()', null)
  await tell(other!.id, 'pager', 'firing', 'now()', 'slow')
  const shown = await ask(
    `select rule, subject, told, failures, round(extract(epoch from silenced_until - now()) / 3600)::int as hours
     from operations.incidents order by id`,
  )
  expect(shown).toEqual([
    { rule: 'Late', subject: 'a', told: ['mail'], failures: ['hook: refused'], hours: 3 },
    { rule: 'Late', subject: 'b', told: [], failures: [], hours: 1 },
    { rule: 'Down', subject: 'a', told: ['pager'], failures: ['pager: slow'], hours: null },
  ])
  expect((await ask('select id from operations.silences')).length).toBe(4)

  const acknowledge = (row: { id: string } | undefined) =>
    resultOf(`acknowledge_incident($1, 'ann')`, [row!.id])
  expect([await acknowledge(waits), await acknowledge(over), await acknowledge(own)]).toEqual([
    false,
    false,
    true,
  ])
  expect(await acknowledge(own)).toBe(false)
  const by = 'select id from incidents where acknowledged_by is not null or acknowledged_at is not null'
  expect(await ask(by)).toEqual([own])

  const silenceId = (hours: number, subject: string) =>
    resultOf(`silence_incidents('Slow', $1, $2, '', 'bob')`, [subject, hours])
  const [first, second] = [await silenceId(2, 'a'), await silenceId(2, 'b')]
  const end = (id: unknown) => resultOf(`end_silence($1, 'bob')`, [id])
  expect([await end(first), await end(first)]).toEqual([true, false])
  expect(await ask(`select id from operations.silences where rule = 'Slow'`)).toEqual([{ id: second }])
  expect(await actions()).toEqual([
    { operator: 'ann', action: 'acknowledge an incident', subject: 'Late a' },
    { operator: 'bob', action: 'silence incidents for 2 h', subject: 'Slow a' },
    { operator: 'bob', action: 'silence incidents for 2 h', subject: 'Slow b' },
    { operator: 'bob', action: 'end a silence', subject: 'Slow a' },
  ])
  await ask('delete from operator_actions')
})

test('users show their own link while it works, their account, and what they sign in with', async () => {
  const accountId = await newAccount('test')
  for (const name of ['full', 'bare', 'late'])
    await ask('insert into users (subject, name) values ($1, $1)', [name])
  await ask(`update users set password_hash = 'hash' where name = 'full'`)
  await ask(`insert into user_invitations values ('full', $1, now() + interval '1 day')`, [hash()])
  await ask(`insert into user_invitations values ('late', $1, now() - interval '1 second')`, [hash()])
  await ask(`insert into identities (issuer, subject, account_id) values ('i', 'full', $1)`, [accountId])
  await ask(`insert into operators (issuer, subject) values ('i', 'full'), ('i', 'nobody')`)
  await ask(`insert into user_totp values ('full', '', '', '', now()), ('late', '', '', '', null)`)
  const columns = `name, has_password, invited_until is not null as invited, account, sees_console, has_totp`
  const none = { has_password: false, invited: false, account: null, sees_console: false, has_totp: false }
  expect(await ask(`select ${columns} from operations.users order by name`)).toEqual([
    { name: 'bare', ...none },
    { name: 'full', has_password: true, invited: true, account: 'test', sees_console: true, has_totp: true },
    { name: 'late', ...none },
  ])
})

test('a refund is noted for a payment that took money, and shown with that one alone', async () => {
  const idOf: Record<string, string> = {}
  for (const state of ['claimed', 'settling', 'settled', 'failed', 'unknown', 'lost']) {
    const isProven = state === 'settled' || state === 'lost'
    const [row] = await ask<{ id: string }>(
      `insert into payments (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
         state, claim, try_after, request, transaction, settled_at)
       values (1, $1, $1, $2, 5, $3, $3, now(), $4, gen_random_uuid(), now(), $5, $6, $7) returning id`,
      [
        `0x${'a'.repeat(40)}`,
        `0x${hash().toString('hex')}`,
        hash(),
        state,
        state === 'settling' || state === 'unknown' ? 'x' : null,
        isProven ? `0x${hash().toString('hex')}` : null,
        isProven ? new Date() : null,
      ],
    )
    idOf[state] = row!.id
  }
  const note = (id: string, text: string) => resultOf(`note_refund($1, $2, 'ann')`, [id, text])
  const noted = Object.entries(idOf).map(async ([state, id]) => [state, await note(id, state)])
  expect((await Promise.all(noted)).filter(([, done]) => done)).toEqual([
    ['settled', true],
    ['unknown', true],
  ])
  await note(idOf['settled']!, 'again')
  const shown = await ask<{ state: string; notes: string[] }>(
    `select state, notes from operations.payments where notes <> '{}' order by state`,
  )
  expect(shown.map(({ state, notes }) => [state, ...notes.map((text) => text.split(' ')[0])])).toEqual([
    ['settled', 'settled', 'again'],
    ['unknown', 'unknown'],
  ])
  expect(await actions()).toHaveLength(3)
  const open = await ask('select state from operations.open_payments order by state')
  expect(open).toEqual([{ state: 'claimed' }, { state: 'settling' }, { state: 'unknown' }])
  await ask('delete from operator_actions')

  await ask(`update payments set id = uuidv7(interval '-30 days'), claimed_at = now() - interval '30 days'
    where state = 'failed'`)
  await ask(`update payments set id = uuidv7(interval '-29 days'), claimed_at = now() - interval '29 days'
    where state = 'lost'`)
  const days = await ask('select state, payments from operations.payment_days order by state')
  const counted = ['claimed', 'lost', 'settled', 'settling', 'unknown']
  expect(days).toEqual(counted.map((state) => ({ state, payments: 1 })))
})

test('the queue counts what has no workflow, was never read, or failed since it was', async () => {
  await ask(`insert into outbox (workflow, workflow_id, input, created_at, dispatched_at)
    values ('w', '1', '{}', now() - interval '2 days', null), ('w', '2', '{}', now() - interval '1 day', null),
      ('w', '3', '{}', now() - interval '3 days', now())`)
  const accountId = await newAccount('test')
  /** synced, failed: hours ago */
  const states = [
    [null, null],
    [null, 1],
    [1, 2],
    [2, 1],
    [3, null],
  ] as const
  const ago = (hours: number | null) => (hours === null ? null : new Date(Date.now() - hours * 3_600_000))
  for (const [n, [synced, failed]] of states.entries()) {
    await ask(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, synced_at, failed_at)
       values ($1, $2, 'kraken', $3, 1, $4, $5)`,
      [randomUUID(), accountId, hash(), ago(synced), ago(failed)],
    )
    const [wallet] = await ask<{ id: string }>('insert into wallets (address) values ($1) returning id', [
      `w${n}`,
    ])
    await ask(
      `insert into wallet_syncs (wallet_id, network_id, synced_at, failed_at) values ($1, 'ethereum', $2, $3)`,
      [wallet!.id, ago(synced), ago(failed)],
    )
  }
  for (const [coin, reason] of [
    ['one', 'plan'],
    ['two', null],
    ['three', null],
  ]) {
    await ask(
      `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at) values ($1, $1, $1, $1, now(), 's', now())`,
      [coin],
    )
    for (const resolution of ['hour', 'day'])
      await ask(
        `insert into price_histories (coin_id, resolution, from_at, to_at, floor_reason) values ($1, $2, now(), now(), $3)`,
        [coin, resolution, reason],
      )
  }
  const [queue] = await ask<Record<string, unknown>>(`select *,
    round(extract(epoch from now() - oldest_command_at) / 3600)::int as command_hours,
    round(extract(epoch from now() - oldest_wallet_at) / 3600)::int as wallet_hours,
    round(extract(epoch from now() - oldest_exchange_at) / 3600)::int as exchange_hours from operations.queue`)
  expect(queue).toMatchObject({
    commands: 2,
    command_hours: 48,
    wallets: 5,
    wallets_begun: 1,
    wallets_failed: 2,
    wallet_hours: 3,
    exchanges: 5,
    exchanges_begun: 1,
    exchanges_failed: 2,
    exchange_hours: 3,
    coins_with_gaps: 1,
    price_gap_reason: 'plan',
  })
})

test('a source has what operators have set, else its own; a node keeps its rate', async () => {
  await ask(`insert into sources (name, area, freshness_target_s, requests_per_second, burst, quota, quota_per, unit)
    values ('own', 'prices', 60, 2, 10, 100, 'day', 'credits'), ('free', 'prices', 60, 4, 20, null, null, null),
      ('node', 'nodes', 60, 8, 30, null, null, null),
      ('plain', 'prices', 60, 16, 40, null, null, null)`)
  await ask(
    `insert into source_states (source, consecutive_failures) values ('own', 3), ('free', 0), ('gone', 0)`,
  )
  const limit = (source: string, rate: number | null, quota: number | null = null) =>
    resultOf(`limit_source($1, $2, null, $3::bigint, $4, 'ann')`, [
      source,
      rate,
      quota,
      quota === null ? null : 'month',
    ])
  expect([await limit('none', 1), await limit('node', 1), await limit('node', null, 9)]).toEqual([
    false,
    false,
    true,
  ])
  expect([await limit('free', null, 5), await limit('own', 1)]).toEqual([true, true])
  const pause = (source: string, paused: boolean) => resultOf(`pause_source($1, $2, 'ann')`, [source, paused])
  expect([await pause('none', true), await pause('own', true), await pause('own', true)]).toEqual([
    false,
    true,
    false,
  ])
  const rows = await ask(`select name, requests_per_second as rate, burst, quota, quota_per, unit
    from operations.sources where name <> 'plain' order by name`)
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['free', 4, 20, 5, 'month', 'requests'],
    ['node', 8, 30, 9, 'month', 'requests'],
    ['own', 1, 10, 100, 'day', 'credits'],
  ])
  expect(
    await ask(`select name, known, is_held, is_changed, consecutive_failures as failures from operations.sources
      where name in ('plain', 'own') order by name`),
  ).toEqual([
    { name: 'own', known: true, is_held: true, is_changed: true, failures: 3 },
    { name: 'plain', known: false, is_held: false, is_changed: false, failures: null },
  ])
  expect([await pause('own', false), await limit('own', null)]).toEqual([true, true])
  expect(
    await ask(
      `select requests_per_second as rate, is_held, is_changed from operations.sources where name = 'own'`,
    ),
  ).toEqual([{ rate: 2, is_held: false, is_changed: false }])
  const texts = (await actions()).map((row) => Object.values(row).join(' | '))
  expect(texts).toEqual([
    'ann | limit a source to its usual rate, 9 a month | node',
    'ann | limit a source to its usual rate, 5 a month | free',
    'ann | limit a source to 1 requests a second | own',
    'ann | pause a source | own',
    'ann | resume a source | own',
    'ann | limit a source to its usual rate | own',
  ])
  await ask('delete from operator_actions')
})

test('a quarantined row is read again once an hour, if it can be and is of no exchange', async () => {
  const insert = async (area: string, activity: string | null, state: string | null, age: string) => {
    const [row] = await ask<{ id: string }>(
      `insert into quarantine (source, area, reason, payload, fetched_at, activity, retry_state, retry_at)
       values ('s', $1, 'r', '{}', now(), $2, $3, now() - $4::interval) returning id`,
      [area, activity, state, age],
    )
    return row!.id
  }
  const retry = (id: string) => resultOf(`retry_quarantined($1, 'ann')`, [id])
  const retried = [
    await insert('prices', 'a', null, '0'),
    await insert('prices', 'a', 'failed', '0'),
    await insert('prices', 'a', 'asked', '61 minutes'),
  ]
  const refused = [
    await insert('exchanges', 'a', null, '0'),
    await insert('prices', null, null, '0'),
    await insert('prices', 'a', 'asked', '59 minutes'),
  ]
  const bystander = await insert('prices', 'a', 'failed', '2 hours')
  for (const id of refused) expect([id, await retry(id)]).toEqual([id, false])
  for (const id of retried) expect([id, await retry(id), await retry(id)]).toEqual([id, true, false])
  const commands = await ask<{ input: { id: string } }>(
    `select input from outbox where workflow = 'retryQuarantined'`,
  )
  expect(commands.map(({ input }) => input.id)).toEqual(retried)
  expect(await ask('select retry_state from quarantine where id = $1', [bystander])).toEqual([
    { retry_state: 'failed' },
  ])
  expect((await ask(`select id from operations.quarantine`)).length).toBe(6)
  expect(await ask(`select area, reason, rows from operations.quarantine_reasons order by area`)).toEqual([
    { area: 'exchanges', reason: null, rows: 1 },
    { area: 'prices', reason: 'r', rows: 6 },
  ])
})

test('the sync of a wallet or an exchange account is that one alone, on that network', async () => {
  const accountId = await newAccount('test')
  const [own, other] = [randomUUID(), randomUUID()]
  const since = new Date('2026-01-02T00:00:00Z')
  for (const [n, id] of [own, other].entries()) {
    await ask(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, failure) values ($1, $2, 'kraken', $3, 1, $4)`,
      [id, accountId, hash(), `failure ${n}`],
    )
    const stream = (name: string, rows: number, completeAt: string | null) =>
      ask('insert into exchange_cursors values ($1, $2, $3, $4, $5, $6)', [
        id,
        name,
        '',
        '{}',
        rows,
        completeAt,
      ])
    await stream('before', 1, '2026-01-01T23:59:59Z')
    await stream('at', 2, '2026-01-02T00:00:00Z')
    await stream('under-way', 4, null)
    if (n === 1) await stream('more', 8, '2026-01-03T00:00:00Z')
  }
  const exchange = (id: string) =>
    ask('select taken, streams, complete, stored::int, failure from exchange_sync_state($1, $2)', [id, since])
  const order = (id: string) => resultOf(`order_sync(null, null, $1, 'ann')`, [id])
  await order(own)
  expect(await exchange(own)).toEqual([
    { taken: false, streams: 3, complete: 1, stored: 7, failure: 'failure 0' },
  ])
  expect(await exchange(other)).toMatchObject([{ taken: true, streams: 4, complete: 2, stored: 15 }])
  await ask('update outbox set dispatched_at = now()')
  expect(await exchange(own)).toMatchObject([{ taken: true }])

  for (const [address, networkId, block] of [
    ['one', 'ethereum', 10],
    ['one', 'base-wallet', 20],
    ['two', 'ethereum', 30],
  ] as const)
    await ask(
      `with wallet as (insert into wallets (address) values ($1)
         on conflict (address) do update set address = excluded.address returning id)
       insert into wallet_syncs (wallet_id, network_id, head_block, cursor_block) select id, $2, $3, $3 from wallet`,
      [address, networkId, block],
    )
  await ask(`select order_sync('one', 'ethereum', null, 'ann')`)
  const wallet = (address: string, networkId: string) =>
    ask('select taken, head::int, cursor_block::int as block from wallet_sync_state($1, $2)', [
      address,
      networkId,
    ])
  expect(await wallet('one', 'ethereum')).toEqual([{ taken: false, head: 10, block: 10 }])
  expect(await wallet('one', 'base-wallet')).toEqual([{ taken: true, head: 20, block: 20 }])
  expect(await wallet('two', 'ethereum')).toEqual([{ taken: true, head: 30, block: 30 }])
  expect(await wallet('three', 'ethereum')).toEqual([{ taken: true, head: null, block: 0 }])
  await ask('update outbox set dispatched_at = now()')
  expect(await wallet('one', 'ethereum')).toMatchObject([{ taken: true }])
})
