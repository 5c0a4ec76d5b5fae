import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openReadonlyDb } from '../../db/connect.ts'
import { findAccounts, readAccount, readKeys, readOperators } from '../../db/console/accounts.ts'
import { planBackfill } from '../../db/console/backfill.ts'
import { readOperatorActions } from '../../db/console/read-actions.ts'
import { readSourceChanges } from '../../db/console/read-changes.ts'
import { readOpenPayments, readTopCustomers } from '../../db/console/read-money.ts'
import { readNodeUsage } from '../../db/console/read-node-usage.ts'
import {
  readQuarantineCounts,
  readQuarantinedItem,
  readQuarantinedItems,
} from '../../db/console/read-quarantine.ts'
import { readPayments, readRefundNotes } from '../../db/console/refunds.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { CHANGES, NODES } from './console-data.ts'

// What operators look for, and in which order they see it.

const database = await testDatabase()
const { db, close } = openReadonlyDb({ url: database.consoleUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

test('accounts are found by a part of their name or id, the newest first', async () => {
  for (const [id, name, at] of [
    ['a1', 'Old shop', '2026-01-01'],
    ['a2', 'New SHOP', '2026-01-03'],
    // Of one moment: by id.
    ['a4', 'Workshop', '2026-01-02'],
    ['a3', 'shopping', '2026-01-02'],
    ['beef', 'Other', '2026-01-04'],
  ] as const)
    await ask(
      `insert into accounts (id, name, plan, created_at, anchor_at) values ($1, $2, 'starter', $3, $3)`,
      [idOf(id), name, at],
    )
  const names = async (text: string, limit = 9) =>
    (await findAccounts(db, { text, limit })).map(({ name }) => name)
  expect(await names('sHop')).toEqual(['New SHOP', 'shopping', 'Workshop', 'Old shop'])
  expect(await names('shop', 2)).toEqual(['New SHOP', 'shopping'])
  expect(await names('BEEF')).toEqual(['Other'])
  expect(await names('none')).toEqual([])
  expect((await readAccount(db, idOf('a1')))?.name).toBe('Old shop')
})

test('keys are those of the account, and operators all of them, the oldest first', async () => {
  for (const [account, prefix, at] of [
    ['a1', 'third', '2026-01-02'],
    ['a1', 'second', '2026-01-02'],
    ['a1', 'first', '2026-01-01'],
    ['a2', 'other', '2026-01-01'],
  ] as const)
    await ask(
      `insert into api_keys (hash, account_id, prefix, name, created_at) values ($1, $2, $3, 'key', $4)`,
      [randomBytes(32), idOf(account), prefix, at],
    )
  expect((await readKeys(db, idOf('a1'))).map(({ prefix }) => prefix)).toEqual(['first', 'second', 'third'])

  await ask(`insert into operators (issuer, subject, created_at)
    values ('i', 'bob', '2026-01-02'), ('i', 'ann', '2026-01-02'), ('i', 'zoe', '2026-01-01')`)
  expect((await readOperators(db)).map(({ subject }) => subject)).toEqual(['zoe', 'ann', 'bob'])
})

test('what operators did is shown newest first, also of one moment', async () => {
  await ask(`insert into operator_actions (at, operator, action, subject) values
    ('2026-01-02', 'ann', 'second', ''), ('2026-01-02', 'ann', 'third', ''), ('2026-01-01', 'ann', 'first', '')`)
  const actions = await readOperatorActions(db, { limit: 9 })
  expect(actions.map(({ action }) => action)).toEqual(['third', 'second', 'first'])
  expect(await readOperatorActions(db, { limit: 1 })).toHaveLength(1)
})

test('customers are those that spent most, and of two alike the first by id', async () => {
  for (const [account, credits] of [
    ['a1', 10],
    ['a3', 30],
    ['a2', 30],
  ] as const)
    await ask(
      `insert into usage_days (account_id, day, endpoint, calls, credits)
       values ($1, (now() at time zone 'UTC')::date, 'GET /news', 1, $2)`,
      [idOf(account), credits],
    )
  const customers = await readTopCustomers(db, { limit: 9 })
  expect(customers.map(({ id }) => id)).toEqual([idOf('a2'), idOf('a3'), idOf('a1')])
})

test('payments are shown newest first, of one state if it is given; open ones oldest first', async () => {
  const pay = (n: number, state: string, day: string) =>
    ask(
      `insert into payments (id, chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
         state, claim, try_after, request, transaction, claimed_at, settled_at)
       values ($1, 1, $2, $2, $3, $4, $5, $5, now(), $6::text, gen_random_uuid(), now(),
         case when $6 in ('settling', 'unknown') then 'x' end, case when $6 = 'settled' then $3 end, $7::timestamptz,
         case when $6 = 'settled' then $7::timestamptz end)`,
      [
        idOf(String(n)),
        `0x${'a'.repeat(40)}`,
        `0x${randomBytes(32).toString('hex')}`,
        n,
        randomBytes(32),
        state,
        day,
      ],
    )
  await pay(1, 'settled', '2026-01-01')
  // The order of ids is that in which they were claimed, but for open ones the time counts.
  await pay(2, 'unknown', '2026-01-05')
  await pay(3, 'settled', '2026-01-03')
  await pay(4, 'claimed', '2026-01-04')
  const amounts = async (state?: 'settled' | 'failed') =>
    (await readPayments(db, { ...(state && { state }), limit: 9 })).map(({ amount }) => amount)
  expect(await amounts()).toEqual(['4', '3', '2', '1'])
  expect(await amounts('settled')).toEqual(['3', '1'])
  expect(await amounts('failed')).toEqual([])
  expect((await readOpenPayments(db, { limit: 9 })).map(({ amount }) => amount)).toEqual(['4', '2'])

  await ask(`insert into payment_notes (payment_id, operator, note) values ($1, 'ann', 'sent back')`, [
    idOf('3'),
  ])
  expect(await readRefundNotes(db, idOf('3'))).toEqual([expect.stringMatching(/^sent back \(ann, /)])
  expect(await readRefundNotes(db, idOf('1'))).toEqual([])
  expect(await readRefundNotes(db, idOf('9'))).toEqual([])
})

test('quarantined rows are of the source and for the reason that are asked for, the newest first', async () => {
  for (const [source, reason, day, payload] of [
    ['one', 'odd', '2026-01-01', { n: 1 }],
    ['one', 'late', '2026-01-02', { n: 2 }],
    ['two', 'odd', '2026-01-02', { n: 3 }],
    ['two', 'odd', '2026-01-03', { n: 4 }],
  ] as const)
    await ask(
      `insert into quarantine (source, area, reason, payload, fetched_at) values ($1, 'prices', $2, $3, $4)`,
      [source, reason, payload, day],
    )
  const days = async (filter: { source?: string; reason?: string }) =>
    (await readQuarantinedItems(db, { ...filter, limit: 9 })).map(
      ({ source, fetchedAt }) => `${source} ${fetchedAt.getUTCDate()}`,
    )
  expect(await days({})).toEqual(['two 3', 'two 2', 'one 2', 'one 1'])
  expect(await days({ source: 'one' })).toEqual(['one 2', 'one 1'])
  expect(await days({ reason: 'odd' })).toEqual(['two 3', 'two 2', 'one 1'])
  expect(await days({ source: 'one', reason: 'odd' })).toEqual(['one 1'])

  const counts = await readQuarantineCounts(db)
  expect(counts.map(({ source, reason, rows }) => `${source} ${reason} ${rows}`)).toEqual([
    'two odd 2',
    'one late 1',
    'one odd 1',
  ])

  const { id } = (await readQuarantinedItems(db, { limit: 1 }))[0]!
  const whole = '{\n    "n": 4\n}'
  const shown = async (characters: number) => {
    const item = await readQuarantinedItem(db, { id, characters })
    return item && [item.payload, item.isCut]
  }
  expect(await shown(whole.length)).toEqual([whole, false])
  expect(await shown(whole.length - 1)).toEqual([whole.slice(0, -1), true])
  expect(await readQuarantinedItem(db, { id: '0', characters: 1 })).toBeUndefined()
})

test('changed answers are those of all sources or of one', async () => {
  await ask(CHANGES)
  const sources = async (source?: string) =>
    (await readSourceChanges(db, source)).map((change) => change.source)
  expect(await sources()).toEqual(['coingecko', 'kalshi'])
  expect(await sources('kalshi')).toEqual(['kalshi'])
})

test('what nodes spend is shown by requests, with an allowance where one is known', async () => {
  await ask(NODES)
  const usage = await readNodeUsage(db)
  expect(usage.map(({ account, requestsToday, allowance }) => [account, requestsToday, allowance])).toEqual([
    ['vendor.example', 15_000, { units: 30_000_000, per: 'month' }],
    ['vendor.example', 500, { units: 30_000_000, per: 'month' }],
    ['node.internal', 43, null],
  ])
})

test('a plan for past prices counts by the source that is asked first, and names coins without one', async () => {
  for (const [rank, [id, source, isMapped]] of (
    [
      ['one', 'coingecko', true],
      ['two', 'coingecko', true],
      ['three', 'defillama', true],
      ['unmapped', 'coingecko', false],
    ] as const
  ).entries()) {
    await ask(
      `insert into coins (id, symbol, name, slug, rank, last_seen_at, source, fetched_at)
       values ($1, $1, $1, $1, $2, now(), $3, now())`,
      [id, rank + 1, source],
    )
    if (isMapped) await ask(`insert into coin_mappings values ($2, $1, $1)`, [id, source])
  }
  const toMs = Date.parse('2026-06-01T00:00:00Z')
  const settings = (name: string, requestsPerSecond: number | null) => ({
    health: undefined,
    settings: {
      name,
      area: 'prices',
      missing: null,
      freshnessTargetSeconds: null,
      requestsPerSecond,
      burst: null,
      quota: null,
      account: null,
    },
  })
  const plan = (coinIds: string[] | null) =>
    planBackfill(db, { resolution: 'day', fromMs: toMs - 10 * DAY_MS, toMs, coinIds }, [
      settings('defillama', null),
      settings('coingecko', 0.5),
    ])
  expect(await plan(null)).toEqual({
    sources: [
      { source: 'coingecko', coins: 2, requests: 2, leastSeconds: 4 },
      { source: 'defillama', coins: 1, requests: 1, leastSeconds: null },
    ],
    missing: ['one', 'two', 'three'],
    unknown: [],
  })
  expect(await plan(['two', 'unmapped', 'nowhere', 'one'])).toMatchObject({
    missing: ['one', 'two'],
    unknown: ['unmapped', 'nowhere'],
  })
})
