import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query, readResult } from '../setup/query.ts'

// What the functions of accounts and of users read, and which rows they delete beside those that are named.

const database = await testDatabase()
const ISSUER = 'https://issuer.test'
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const hash = () => randomBytes(32)
const resultOf = (call: string, values?: unknown[]) => readResult(database.ownerUrl, call, values)
/** The texts of one column, in the order of the rows. */
const listOf = async (column: string, rest: string, values: unknown[] = []) =>
  (await ask<{ item: string }>(`select ${column} as item ${rest}`, values)).map(({ item }) => item)

async function newAccount() {
  const [row] = await ask<{ id: string }>(
    `insert into accounts (name, plan, degen) values ('test', 'pro', true) returning id`,
  )
  return row!.id
}
async function newPortfolio(accountId: string) {
  const id = randomUUID()
  await ask(`insert into portfolios (id, account_id, kind, name) values ($1, $2, 'manual', 'a')`, [
    id,
    accountId,
  ])
  return id
}
/** A user who opens an account. */
async function newUser(accountId: string, issuer = ISSUER) {
  const subject = randomUUID()
  await ask('insert into users (subject, name) values ($1, $2)', [subject, `user-${subject.slice(0, 8)}`])
  await ask('insert into identities (issuer, subject, account_id) values ($1, $2, $3)', [
    issuer,
    subject,
    accountId,
  ])
  return subject
}
const keysOf = (accountId: string, prefix: string, count: number, revoked = false) =>
  ask(
    `insert into api_keys (hash, account_id, prefix, name, revoked_at)
     select sha256(($1 || $2 || n)::bytea), $1::uuid, $2 || n, 'key', case when $4 then now() end
     from generate_series(1, $3::int) n`,
    [accountId, prefix, count, revoked],
  )
const kitsOf = (accountId: string, count: number) =>
  ask(
    `insert into connect_kits (id, account_id, name, appearance, accent, mode, origins, redirect_urls)
     select gen_random_uuid(), $1, 'kit ' || n, 'system', '#000000', 'popup', '{}', '{}' from generate_series(1, $2::int) n`,
    [accountId, count],
  )
const sharesOf = (portfolioId: string, count: number, revoked = false) =>
  ask(
    `insert into portfolio_shares (portfolio_id, token_hash, revoked_at)
     select $1, sha256(uuid_send(gen_random_uuid())), case when $3 then now() end from generate_series(1, $2::int)`,
    [portfolioId, count, revoked],
  )

describe('lists of an account, newest first', () => {
  /** Makes the first of two rows, in the order in which they were inserted, the newer one. */
  const age = (table: string, column = 'created_at') =>
    ask(`with numbered as (select ctid, row_number() over (order by ctid) as n from ${table})
      update ${table} t set ${column} = now() - n * interval '1 minute' from numbered where numbered.ctid = t.ctid`)

  test('keys, without revoked ones', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    await keysOf(own, 'own', 3)
    await keysOf(own, 'revoked', 1, true)
    await keysOf(other, 'other', 1)
    await age('api_keys')
    expect(await listOf('prefix', 'from account_keys($1)', [own])).toEqual(['own1', 'own2', 'own3'])
  })

  test('connect kits', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    await kitsOf(own, 3)
    await kitsOf(other, 1)
    await age('connect_kits')
    expect(await listOf('name', 'from account_kits($1)', [own])).toEqual(['kit 1', 'kit 2', 'kit 3'])
  })

  test('share links, without revoked ones, with what stops them', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    const portfolioId = await newPortfolio(own)
    await sharesOf(portfolioId, 3)
    await sharesOf(portfolioId, 1, true)
    await sharesOf(await newPortfolio(other), 1)
    const ids = await listOf('id', 'from portfolio_shares where portfolio_id = $1 order by ctid', [
      portfolioId,
    ])
    // Before the rows are changed, which moves them.
    await age('portfolio_shares')
    const change = (set: string, id: string) => ask(`update portfolio_shares set ${set} where id = $1`, [id])
    await change(`passcode_hash = sha256(''), locked_until = now() + interval '1 minute'`, ids[0]!)
    await change(`locked_until = now() - interval '1 second'`, ids[1]!)
    const rows = await ask('select id, passcode, locked from account_shares($1)', [own])
    expect(rows).toEqual([
      { id: ids[0], passcode: true, locked: true },
      { id: ids[1], passcode: false, locked: false },
      { id: ids[2], passcode: false, locked: false },
    ])
  })

  test('agents, those of all of its users', async () => {
    const own = await newAccount()
    const users = [await newUser(own), await newUser(own), await newUser(await newAccount())]
    for (const [at, subject] of users.entries())
      await ask(
        `insert into connected_agents (issuer, user_subject, client_id, name) values ($1, $2, $3, 'a')`,
        [ISSUER, subject, `agent-${at}`],
      )
    await age('connected_agents', 'connected_at')
    expect(await listOf('client_id', 'from account_agents($1)', [own])).toEqual(['agent-0', 'agent-1'])
  })
})

describe('an account has at most', () => {
  const newKey = (accountId: string, prefix: string) =>
    resultOf(`create_account_key($1, $2, $3, 'key', false, null, null)`, [accountId, hash(), prefix])

  test('100 keys, of which revoked ones and those of others do not count, and no two with one prefix', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    await keysOf(own, 'own', 99)
    await keysOf(own, 'revoked', 1, true)
    await keysOf(other, 'other', 1)
    expect(await newKey(own, 'own7')).toBe(false)
    expect(await newKey(own, 'other1')).toBe(true)
    expect(await newKey(own, 'revoked1')).toBe(false)
    expect(await newKey(other, 'revoked1')).toBe(true)
  })

  test('20 connect kits', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    const newKit = (accountId: string) =>
      resultOf(`create_account_kit($1, $2, 'kit', null, 'dark', '#000000', 'popup', '{}', '{}')`, [
        accountId,
        randomUUID(),
      ])
    await kitsOf(own, 19)
    await kitsOf(other, 1)
    expect(await newKit(own)).toBe(true)
    expect(await newKit(own)).toBe(false)
    expect(await newKit(other)).toBe(true)
  })

  test('100 links to a portfolio of its own', async () => {
    const [own, other] = [await newAccount(), await newAccount()]
    const [full, empty] = [await newPortfolio(own), await newPortfolio(own)]
    const newShare = (accountId: string, portfolioId: string) =>
      resultOf('create_account_share($1, $2, $3, $4, null)', [accountId, portfolioId, randomUUID(), hash()])
    await sharesOf(full, 99)
    await sharesOf(full, 1, true)
    expect(await newShare(own, full)).toBe(true)
    expect(await newShare(own, full)).toBe(false)
    expect(await newShare(own, empty)).toBe(true)
    expect(await newShare(other, empty)).toBe(false)
    await ask('update accounts set degen = false where id = $1', [own])
    expect(await newShare(own, empty)).toBe(false)
  })
})

test('a file is kept for a manual portfolio of the account, and of more than ten the oldest go', async () => {
  const [own, other] = [await newAccount(), await newAccount()]
  const [portfolio, foreign, wallet] = [await newPortfolio(own), await newPortfolio(other), randomUUID()]
  await ask(
    `insert into portfolios (id, account_id, kind, address, network_id) values ($1, $2, 'wallet', 'a', 'ethereum')`,
    [wallet, own],
  )
  const keep = (accountId: string, portfolioId: string, body: string) =>
    resultOf('keep_import_upload($1, $2, $3, $4)', [accountId, portfolioId, randomUUID(), body])
  expect([await keep(own, foreign, '0'), await keep(own, wallet, '0')]).toEqual([null, null])
  await keep(other, foreign, 'of another')
  const first = await keep(own, portfolio, '1')
  for (let n = 2; n <= 10; n++) await keep(own, portfolio, String(n))
  expect(await keep(own, portfolio, '1')).toBe(first)
  await keep(own, portfolio, '11')
  const bodies = await listOf('body', 'from import_uploads order by expires_at')
  expect(bodies).toEqual(['of another', '3', '4', '5', '6', '7', '8', '9', '10', '1', '11'])
})

describe('with a new row go only those that have ended long enough', () => {
  const ENDS = [`'1 hour'`, `'-1 second'`, `'-25 hours'`] as const

  test('sessions of pages', async () => {
    for (const ends of ENDS)
      await ask(`insert into page_sessions values ($1, $2, $3, now() + interval ${ends})`, [
        hash(),
        ISSUER,
        ends,
      ])
    await ask(`select begin_page_session($1, $2, 'new', 60)`, [hash(), ISSUER])
    expect(await listOf('subject', 'from page_sessions order by expires_at')).toEqual(['new', ENDS[0]])
  })

  test('what wallets are asked to sign', async () => {
    for (const ends of ENDS)
      await ask(`insert into wallet_challenges values ($1, $2, '', now(), now() + interval ${ends})`, [
        hash(),
        ends,
      ])
    await ask(`select keep_wallet_challenge($1, 'new', '', now(), 60)`, [hash()])
    expect(await listOf('purpose', 'from wallet_challenges order by expires_at')).toEqual(['new', ENDS[0]])
  })

  test('records of the provider, with a new sign-in and nothing else', async () => {
    for (const ends of ENDS)
      await ask(
        `insert into issuer_records (model, hash, payload, expires_at) values ($1, $2, '{}', now() + interval ${ends})`,
        [ends, hash()],
      )
    const models = () => listOf('model', 'from issuer_records order by expires_at desc')
    await ask(`select keep_issuer_record('Grant', $1, '{}', 60)`, [hash()])
    expect(await models()).toEqual([ENDS[0], 'Grant', ...ENDS.slice(1)])
    await ask(`select keep_issuer_record('Interaction', $1, '{}', 30)`, [hash()])
    expect(await models()).toEqual([ENDS[0], 'Grant', 'Interaction'])
  })

  test('wrong tries to sign in, after two days', async () => {
    for (const age of ['47 hours', '49 hours'])
      await ask(`insert into sign_in_tries values ('name', $1, 1, null, now() - interval '${age}')`, [age])
    await ask(`select begin_sign_in('new', '192.0.2.1')`)
    expect(await listOf('key', `from sign_in_tries where kind = 'name' order by last_at`)).toEqual([
      '47 hours',
      'new',
    ])
  })

  test('codes of connect kits, a day after their end: until then a nonce is used once', async () => {
    const accountId = await newAccount()
    const kit = randomUUID()
    await ask(
      `insert into connect_kits (id, account_id, name, appearance, accent, mode, origins, redirect_urls)
       values ($1, $2, 'kit', 'system', '#000000', 'popup', '{}', '{}')`,
      [kit, accountId],
    )
    for (const ends of ENDS)
      await ask(
        `insert into connect_codes (hash, kit_id, account_id, portfolio_id, existed, nonce, expires_at)
         values ($1, $2, $3, $4, false, $5, now() + interval ${ends})`,
        [hash(), kit, accountId, randomUUID(), ends],
      )
    const newCode = (kitId: string, nonce: string) =>
      resultOf('create_connect_code($1, $2, $3, null, null, false, $4)', [kitId, hash(), randomUUID(), nonce])
    expect(await newCode(kit, ENDS[1])).toBe(false)
    expect(await newCode(randomUUID(), 'new')).toBe(false)
    expect(await newCode(kit, ENDS[2])).toBe(true)
    expect(await listOf('nonce', 'from connect_codes order by expires_at')).toEqual([
      ENDS[1],
      ENDS[2],
      ENDS[0],
    ])
  })
})

test('a record of the provider is found by its model and its id, sessions by their uid, until it expires', async () => {
  const [id, other] = [hash(), hash()]
  const keep = (model: string, idHash: Buffer, uid: string, seconds = 60) =>
    ask('select keep_issuer_record($1, $2, $3, $4)', [model, idHash, { uid, model }, seconds])
  await keep('Session', id, 'one')
  await keep('Grant', id, 'one')
  await keep('Session', other, 'two')
  await keep('Session', hash(), 'ended', -1)
  const found = (model: string, idHash: Buffer | null, uid: string | null) =>
    listOf(`payload ->> 'model' || ' ' || (payload ->> 'uid')`, 'from issuer_record($1, $2, $3)', [
      model,
      idHash,
      uid,
    ])
  expect(await found('Session', id, null)).toEqual(['Session one'])
  expect(await found('Session', null, 'two')).toEqual(['Session two'])
  expect(await found('Session', null, 'ended')).toEqual([])
  const consume = (model: string, idHash: Buffer) =>
    resultOf('consume_issuer_record($1, $2)', [model, idHash])
  expect([await consume('Session', id), await consume('Session', id)]).toEqual([true, false])
  expect(await consume('Grant', id)).toBe(true)
  await ask(`select drop_issuer_record('Session', $1)`, [id])
  expect([await found('Grant', id, null), await found('Session', other, null)]).toEqual([
    ['Grant one'],
    ['Session two'],
  ])
})

test('the links of users, and their agents, move to the address of the provider, unless there is one, and no links of others', async () => {
  const accountId = await newAccount()
  const NEW = 'https://new.test'
  const [moved, both] = [
    await newUser(accountId, 'https://old.test'),
    await newUser(accountId, 'https://old.test'),
  ]
  const link = (issuer: string, subject: string) =>
    ask('insert into identities (issuer, subject, account_id) values ($1, $2, $3)', [
      issuer,
      subject,
      accountId,
    ])
  await link(NEW, both)
  // A subject of another provider, which happens to run at the former address.
  await link('https://old.test', 'stranger')
  for (const [issuer, subject] of [
    ['https://old.test', moved],
    ['https://old.test', both],
    [NEW, both],
    ['https://old.test', 'stranger'],
  ])
    for (const insert of [
      'insert into operators (issuer, subject) values ($1, $2)',
      `insert into connected_agents (issuer, user_subject, client_id, name) values ($1, $2, 'agent', 'Agent')`,
    ])
      await ask(insert, [issuer, subject])
  await ask('select adopt_users($1)', [NEW])
  for (const [table, name] of [
    ['identities', 'subject'],
    ['operators', 'subject'],
    ['connected_agents', 'user_subject'],
  ]) {
    const issuersOf = (subject: string) =>
      listOf('issuer', `from ${table} where ${name} = $1 order by issuer`, [subject])
    expect([table, await issuersOf(moved), await issuersOf(both), await issuersOf('stranger')]).toEqual([
      table,
      [NEW],
      [NEW, 'https://old.test'],
      ['https://old.test'],
    ])
  }
})

test('an agent reads the account of its user, which is noted once a minute, until it is ended', async () => {
  const accountId = await newAccount()
  const [own, other] = [await newUser(accountId), await newUser(accountId)]
  const admit = (subject: string, client = 'agent') =>
    resultOf('admit_agent($1, $2, $3)', [ISSUER, subject, client])
  const used = (age: string, subject = own) =>
    ask(`update connected_agents set last_used_at = now() - interval '${age}' where user_subject = $1`, [
      subject,
    ])
  const usedLately = () =>
    resultOf(
      `(select last_used_at > now() - interval '5 seconds' from connected_agents
      where user_subject = $1 and client_id = 'agent')`,
      [own],
    )
  expect([await admit(own), await admit(other), await admit('nobody')]).toEqual([accountId, accountId, null])
  expect(await usedLately()).toBe(true)
  await used('50 seconds')
  expect([await admit(own), await usedLately()]).toEqual([accountId, false])
  await used('70 seconds')
  expect([await admit(own), await usedLately()]).toEqual([accountId, true])
  await ask(`update connected_agents set ended_at = now() where user_subject = $1`, [own])
  expect([await admit(own), await admit(own, 'second'), await admit(other)]).toEqual([
    null,
    accountId,
    accountId,
  ])
  const [row] = await ask(
    `select client_id from connected_agents where user_subject = $1 and ended_at is null`,
    [own],
  )
  expect(row).toEqual({ client_id: 'second' })
})

test('a session is that of its user at its issuer, with the account that is linked there', async () => {
  const [own, other] = [await newAccount(), await newAccount()]
  const [subject, bare] = [await newUser(own), randomUUID()]
  await newUser(other)
  await ask(`insert into identities (issuer, subject, account_id) values ('https://other.test', $1, $2)`, [
    subject,
    other,
  ])
  const session = async (of: string, hours = 1) => {
    const id = hash()
    await ask(`insert into page_sessions values ($1, $2, $3, now() + $4 * interval '1 hour')`, [
      id,
      ISSUER,
      of,
      hours,
    ])
    return id
  }
  const read = (id: Buffer, issuer = ISSUER) =>
    ask('select subject, account_id as account from account_of($1, $2)', [id, issuer])
  const [ofOwn, ofBare, over] = [await session(subject), await session(bare), await session(subject, -1)]
  expect(await read(ofOwn)).toEqual([{ subject, account: own }])
  expect(await read(ofBare)).toEqual([{ subject: bare, account: null }])
  for (const none of [await read(ofOwn, 'https://other.test'), await read(over), await read(hash())])
    expect(none).toEqual([])
})

test('a user exists unless disabled, and has the secret of its own app, confirmed or not', async () => {
  const accountId = await newAccount()
  const [own, other, disabled] = [
    await newUser(accountId),
    await newUser(accountId),
    await newUser(accountId),
  ]
  await ask('update users set disabled_at = now() where subject = $1', [disabled])
  const exists = (subject: string) => resultOf('issuer_user($1)', [subject])
  expect([await exists(own), await exists(disabled), await exists(randomUUID())]).toEqual([
    true,
    false,
    false,
  ])
  for (const subject of [own, other])
    await ask(`select keep_user_totp($1::text, 'key of ' || $1, '\\x00', '\\x00')`, [subject])
  await ask('select confirm_user_totp($1, 1, array[$2::bytea])', [other, hash()])
  const secret = (subject: string) =>
    ask('select key_id as key, is_confirmed as confirmed from user_totp_secret($1)', [subject])
  expect(await secret(own)).toEqual([{ key: `key of ${own}`, confirmed: false }])
  expect(await secret(other)).toEqual([{ key: `key of ${other}`, confirmed: true }])
  expect(await secret(disabled)).toEqual([])
})
