import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What the pages do for one account changes nothing of another, though both have the same names.

const database = await testDatabase()
const ISSUER = 'https://issuer.test'
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const hash = () => randomBytes(32)

await ask('select ensure_event_partitions(now())')

/** An account with two of everything that its pages list, and one of what ends with it. */
async function newHolder() {
  const [{ id: accountId }] = (await ask<{ id: string }>(
    `insert into accounts (name, plan, degen) values ('test', 'pro', true) returning id`,
  )) as [{ id: string }]
  const ids = () => [randomUUID(), randomUUID()] as [string, string]
  const holder = {
    accountId,
    subjects: ids(),
    kits: ids(),
    shares: ids(),
    uploads: ids(),
    portfolios: ids(),
    exchange: randomUUID(),
    endpoint: randomUUID(),
  }
  const { portfolios, exchange, endpoint } = holder
  await ask(
    `insert into portfolios (id, account_id, kind, name) values ($2, $1, 'manual', 'a'), ($3, $1, 'manual', 'b')`,
    [accountId, ...portfolios],
  )
  for (const prefix of ['one', 'two'])
    await ask(`insert into api_keys (hash, account_id, prefix, name) values ($1, $2, $3, 'key')`, [
      hash(),
      accountId,
      prefix,
    ])
  for (const [at, subject] of holder.subjects.entries()) {
    await ask('insert into users (subject, name) values ($1, $2)', [subject, `user-${subject.slice(0, 8)}`])
    await ask('insert into identities (issuer, subject, account_id) values ($1, $2, $3)', [
      ISSUER,
      subject,
      accountId,
    ])
    for (const client of ['one', 'two']) {
      await ask(
        `insert into connected_agents (issuer, user_subject, client_id, name) values ($1, $2, $3, 'Agent')`,
        [ISSUER, subject, client],
      )
      await ask(`select keep_issuer_record('AccessToken', $1, $2, 3600)`, [
        hash(),
        { accountId: subject, clientId: client },
      ])
    }
    await ask(`insert into page_sessions values ($1, $2, $3, now() + interval '1 day')`, [
      hash(),
      ISSUER,
      subject,
    ])
    await ask(
      `insert into connect_kits (id, account_id, name, appearance, accent, mode, origins, redirect_urls)
       values ($1, $2, 'kit', 'system', '#000000', 'popup', '{}', '{}')`,
      [holder.kits[at], accountId],
    )
    await ask(
      `insert into portfolio_shares (id, portfolio_id, token_hash, wrong_passcodes) values ($1, $2, $3, 4)`,
      [holder.shares[at], portfolios[at], hash()],
    )
    await ask(
      `insert into import_uploads (id, account_id, portfolio_id, body, sha256, expires_at)
       values ($1, $2, $3, '', $4, now() + interval '1 minute')`,
      [holder.uploads[at], accountId, portfolios[0], hash()],
    )
  }
  await ask(
    `insert into connect_codes (hash, kit_id, account_id, portfolio_id, existed, expires_at)
     values ($1, $2, $3, $4, false, now() + interval '1 hour')`,
    [hash(), holder.kits[0], accountId, exchange],
  )
  await ask(
    `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, 'kraken', $3, 1)`,
    [exchange, accountId, hash()],
  )
  await ask(`insert into exchange_secrets values ($1, 1, $2, 'key', '\\x00', '\\x00')`, [exchange, accountId])
  await ask(
    `insert into webhook_endpoints (id, account_id, url, types, key_id, wrapped_key, ciphertext)
     values ($1, $2, 'https://hooks.test', '{coin.price}', 'key', '\\x00', '\\x00')`,
    [endpoint, accountId],
  )
  // Of no endpoint, with which it would go anyway.
  await ask(
    `insert into alert_rules (id, account_id, kind, subject, rule) values ($1, $2, 'coin.price', 'bitcoin', '{}')`,
    [randomUUID(), accountId],
  )
  await ask('insert into event_subscriptions (account_id) values ($1)', [accountId])
  await ask(`insert into event_tickets values ($1, $2, now() + interval '1 hour')`, [hash(), accountId])
  await ask(
    `insert into account_events (account_id, id, type, body, credits, held, created_at)
     values ($1, $2, 'coin.price', '{}', 1, true, now())`,
    [accountId, randomUUID()],
  )
  await ask(
    `insert into idempotent_answers (account_id, key, request_id, fingerprint, body) values ($1, 'key', $2, '\\x00', '')`,
    [accountId, randomUUID()],
  )
  await ask(`insert into outbox (workflow, workflow_id, input, account_id) values ('w', $2, '{}', $1)`, [
    accountId,
    randomUUID(),
  ])
  return holder
}
type Holder = Awaited<ReturnType<typeof newHolder>>

/** Each table that the pages change, with what names a row of it. */
const TABLES = {
  accounts: 'id',
  api_keys: `account_id || ' ' || prefix`,
  connect_kits: 'id',
  connect_codes: 'account_id',
  portfolios: 'id',
  portfolio_shares: 'id',
  import_uploads: 'id',
  connected_agents: `user_subject || ' ' || client_id`,
  issuer_records: `(payload ->> 'accountId') || ' ' || (payload ->> 'clientId')`,
  page_sessions: 'subject',
  users: 'subject',
  identities: 'subject',
  exchange_secrets: 'account_id',
  webhook_endpoints: 'id',
  alert_rules: 'account_id',
  event_subscriptions: 'account_id',
  event_tickets: 'account_id',
  account_events: 'account_id',
  idempotent_answers: 'account_id',
}

type Done = readonly [what: string, call: string, named: (of: Holder) => string]
/** What is done with one thing of an account ($1), and how the only rows are called ($2) that may change. */
const DONE: readonly Done[] = [
  [
    'changes a key',
    `change_account_key($1, split_part($2, ' ', 2), 'new', true, null, null)`,
    ({ accountId }) => `${accountId} two`,
  ],
  [
    'changes a kit',
    `change_account_kit($1, $2::uuid, 'new', null, 'dark', '#ffffff', 'redirect', '{}', '{}')`,
    ({ kits }) => kits[1],
  ],
  ['rotates a link', `rotate_account_share($1, $2::uuid, sha256('token'))`, ({ shares }) => shares[1]],
  ['previews a file', `note_import_preview($1, $2::uuid, '{"rows": 1}')`, ({ uploads }) => uploads[1]],
  [
    'ends an agent',
    `end_agent($1, split_part($2, ' ', 1), 'two', true)`,
    ({ subjects }) => `${subjects[1]} two`,
  ],
  [
    'lets an agent in again',
    `end_agent($1, split_part($2, ' ', 1), 'two', false)`,
    ({ subjects }) => `${subjects[1]} two`,
  ],
  ['revokes a key', `revoke_account_key($1, split_part($2, ' ', 2))`, ({ accountId }) => `${accountId} two`],
  ['revokes a link', `revoke_account_share($1, $2::uuid)`, ({ shares }) => shares[1]],
  ['deletes a kit', `revoke_account_kit($1, $2::uuid)`, ({ kits }) => kits[1]],
]

const [own, other] = [await newHolder(), await newHolder()]
const call = async (text: string, named: string) => {
  const [row] = await ask<{ done: unknown }>(`select ${text} as done`, [own.accountId, named])
  return row!.done
}

test.each(DONE)(
  'an account %s: no other thing changes, and of another account none',
  async (_, text, named) => {
    const changed = await changedRows(database, TABLES, async () => {
      // A key is named by its prefix, which other accounts may have as well.
      if (!text.includes('_key(')) expect(await call(text, named(other))).not.toBe(true)
    })
    expect(changed).toEqual([])
    const ownChanged = await changedRows(database, TABLES, async () => {
      expect(await call(text, named(own))).not.toBe(false)
    })
    expect(new Set(ownChanged)).toEqual(new Set([named(own)]))
  },
)

test.each(DONE.filter(([what]) => /revokes|deletes/.test(what)))(
  'an account %s once',
  async (_, text, named) => {
    expect(await call(text, named(own))).toBe(false)
  },
)

test('a key that is revoked cannot be changed, nor a link that is revoked get another token', async () => {
  const key = `change_account_key($1, $2, 'new', false, null, null)`
  expect(await call(key, 'two')).toBe(false)
  expect(await call(`rotate_account_share($1, $2::uuid, sha256('new'))`, own.shares[1])).toBe(false)
})

test('an account is closed: its users and all that it has go, except operators, and others keep theirs', async () => {
  // Whoever sees the console at another address of the provider is an operator still.
  await ask(`insert into operators (issuer, subject) values ('https://before.test', $1)`, [own.subjects[1]])
  const names = Object.values(own).flat()
  const isOwn = (name: string) => names.some((id) => name.startsWith(id))
  const changed = await changedRows(database, TABLES, () => ask('select close_account($1)', [own.accountId]))
  expect(changed.length).toBeGreaterThan(20)
  expect(changed.filter((name) => !isOwn(name))).toEqual([])

  const left = await Promise.all(
    Object.entries(TABLES).map(async ([table, name]) => {
      const rows = await ask<{ name: string }>(`select (${name})::text as name from ${table}`)
      return rows.filter((row) => isOwn(row.name)).map((row) => [table, row.name])
    }),
  )
  expect(left.flat().map(String).sort()).toEqual(
    [
      ['accounts', own.accountId],
      ['api_keys', `${own.accountId} one`],
      ['api_keys', `${own.accountId} two`],
      ['portfolios', own.portfolios[0]],
      ['portfolios', own.portfolios[1]],
      ['users', own.subjects[1]],
    ]
      .map(String)
      .sort(),
  )
  expect(await ask(`select name, degen from accounts where id = $1`, [own.accountId])).toEqual([
    { name: 'closed', degen: false },
  ])
  const removals = await ask<{ input: object }>(`select input from outbox where workflow = 'removePortfolio'`)
  expect(removals.map(({ input }) => input)).toEqual(
    expect.arrayContaining(own.portfolios.map((portfolioId) => ({ accountId: own.accountId, portfolioId }))),
  )
  expect(removals).toHaveLength(2)
  expect(await ask('select account_id as "accountId" from outbox where account_id is not null')).toEqual([
    { accountId: other.accountId },
  ])
})
