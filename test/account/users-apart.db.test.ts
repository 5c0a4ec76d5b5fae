import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What the provider and the pages do for one user changes nothing of another.

const database = await testDatabase()
const ISSUER = 'https://issuer.test'
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const hash = () => randomBytes(32)
const address = () => `0x${randomBytes(20).toString('hex')}`

/** A user with one of everything that somebody who signs in can have. */
async function newUser() {
  const [{ id: accountId }] = (await ask<{ id: string }>(
    `insert into accounts (name, plan) values ('test', 'pro') returning id`,
  )) as [{ id: string }]
  const user = {
    subject: randomUUID(),
    name: `user-${randomUUID().slice(0, 8)}`,
    address: address(),
    network: `192.0.2.${randomBytes(1)[0]}`,
    recoveryCode: hash(),
    invitation: hash(),
    session: hash(),
    grant: randomUUID(),
  }
  const { subject, name } = user
  await ask(`insert into users (subject, name, password_hash) values ($1, $2, 'hash')`, [subject, name])
  await ask('insert into identities (issuer, subject, account_id) values ($1, $2, $3)', [
    ISSUER,
    subject,
    accountId,
  ])
  await ask(`select keep_user_totp($1, 'key', '\\x00', '\\x00')`, [subject])
  await ask('insert into user_recovery_codes values ($1, $2)', [subject, user.recoveryCode])
  await ask('insert into user_wallets (user_subject, address) values ($1, $2)', [subject, user.address])
  await ask(`insert into user_invitations values ($1, $2, now() + interval '1 day')`, [
    subject,
    user.invitation,
  ])
  await ask(
    `insert into connected_agents (issuer, user_subject, client_id, name) values ($1, $2, 'agent', 'Agent')`,
    [ISSUER, subject],
  )
  await ask(
    `insert into sign_in_tries (kind, key, wrong, last_at) values ('name', $1, 2, now()), ('code', $2, 2, now())`,
    [name, subject],
  )
  await ask(`insert into page_sessions values ($1, $2, $3, now() + interval '1 day')`, [
    user.session,
    ISSUER,
    subject,
  ])
  await ask(`select keep_issuer_record('Session', $1, $2, 3600)`, [
    hash(),
    { accountId: subject, grantId: user.grant },
  ])
  return user
}
type User = Awaited<ReturnType<typeof newUser>>

/** What is done for a user, in an order in which each of it changes something. */
const DONE: readonly (readonly [what: string, call: string, values: (user: User) => unknown[]])[] = [
  ['confirms an app', 'confirm_user_totp($1, 1, array[$2::bytea])', ({ subject }) => [subject, hash()]],
  ['enters a code', 'use_totp_step($1, 2)', ({ subject }) => [subject]],
  ['enters a wrong code', 'begin_code_try($1, $2)', ({ subject, network }) => [subject, network]],
  ['enters a right code', 'pass_code_try($1, $2)', ({ subject, network }) => [subject, network]],
  [
    'gets recovery codes',
    'renew_recovery_codes($1, array[$2::bytea])',
    (user) => [user.subject, user.recoveryCode],
  ],
  ['uses a recovery code', 'use_recovery_code($1, $2)', (user) => [user.subject, user.recoveryCode]],
  ['enters a wrong password', 'begin_sign_in($1, $2)', ({ name, network }) => [name, network]],
  ['enters the right password', 'pass_sign_in($1, $2)', ({ name, network }) => [name, network]],
  ['signs in', 'note_sign_in($1)', ({ subject }) => [subject]],
  ['adds a wallet', 'add_user_wallet($1, $2)', ({ subject }) => [subject, address()]],
  ['removes a wallet', 'remove_user_wallet($1, $2)', (user) => [user.subject, user.address]],
  ['lets an agent in', `allow_agent('${ISSUER}', $1, 'agent', 'Renamed')`, ({ subject }) => [subject]],
  ['ends a grant', 'revoke_issuer_grant($1)', ({ grant }) => [grant]],
  ['removes the app', 'drop_user_totp($1)', ({ subject }) => [subject]],
  ['follows an invitation', `accept_invitation($1, 'other')`, ({ invitation }) => [invitation]],
  ['signs out', 'end_page_session($1)', ({ session }) => [session]],
  ['changes the password', `change_user_password($1, 'third')`, ({ subject }) => [subject]],
  ['is disabled', `set_user_enabled($1, false, 'ann')`, ({ name }) => [name]],
  ['is enabled', `set_user_enabled($1, true, 'ann')`, ({ name }) => [name]],
  ['is reset', `reset_user($1, $2, 'ann')`, ({ name }) => [name, hash()]],
]

const OWNERS = {
  users: 'subject',
  user_totp: 'user_subject',
  user_recovery_codes: 'user_subject',
  user_wallets: 'user_subject',
  user_invitations: 'user_subject',
  connected_agents: 'user_subject',
  page_sessions: 'subject',
  issuer_records: `payload ->> 'accountId'`,
  // By the name of the user, by the user, or by the network from which somebody tries.
  sign_in_tries: `coalesce((select subject from users where name = key), (select user_subject from user_totp where user_subject = key), key)`,
}

const [own] = [await newUser(), await newUser()]

test.each(DONE)('a user %s: no row of another changes', async (_, call, values) => {
  const changed = await changedRows(database, OWNERS, async () => {
    const [row] = await ask<{ done: unknown }>(`select ${call} as done`, values(own))
    expect(row!.done).not.toBe(false)
  })
  expect(new Set(changed.filter((id) => id !== own.network))).toEqual(new Set([own.subject]))
})
