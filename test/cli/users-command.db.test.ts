import { expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { sluiceHere } from './sluice-here.ts'

const { ownerUrl } = await testDatabase()
const ISSUER = 'https://id.example'
const sluice = sluiceHere({ DATABASE_URL: ownerUrl, ISSUER_URL: ISSUER, OIDC_ISSUER: ISSUER })
await sluice('accounts', 'create', '--name', 'acme', '--plan', 'free')

test('an operator invites, lists, disables, enables and resets users', async () => {
  const invited = await sluice('users', 'invite', 'ann', '--account', 'acme', '--json')
  const { link } = JSON.parse(invited.stdout) as { link: string }
  expect(link).toMatch(/^https:\/\/id\.example\/invitation\/[\w-]{43}$/)
  expect((await sluice('users', 'invite', 'bob', '--console')).stdout).toContain(`${ISSUER}/invitation/`)
  const listed = async () => JSON.parse((await sluice('users', 'list', '--json')).stdout) as any[]
  expect(await listed()).toMatchObject([
    { name: 'ann', account: 'acme', seesConsole: false, hasPassword: false, disabledAt: null },
    { name: 'bob', account: null, seesConsole: true },
  ])
  expect((await sluice('users', 'disable', 'ann')).stdout).toBe('ann is signed out and refused\n')
  expect((await listed())[0].disabledAt).not.toBeNull()
  expect((await sluice('users', 'enable', 'ann')).stdout).toBe('ann can sign in again\n')
  const reset = JSON.parse((await sluice('users', 'reset', 'ann', '--json')).stdout) as { link: string }
  expect(reset.link).not.toBe(link)
  const rows = await query<{ action: string; subject: string }>(
    ownerUrl,
    `select action, subject from operator_actions where action like '%user%' order by id`,
  )
  expect(rows.map(({ action, subject }) => `${action}: ${subject}`)).toEqual([
    'invite a user: ann',
    'invite a user to the console: bob',
    'disable a user: ann',
    'enable a user: ann',
    'reset a user: ann',
  ])
})

test('what cannot be done is said, with what to do', async () => {
  for (const [args, message] of [
    [['invite', 'bob', '--console'], 'there is a user bob; "sluice users reset bob" makes a new link'],
    [['invite', 'Bob', '--console'], '"Bob" is no name of a user'],
    [['invite', 'cat'], 'the user would open nothing'],
    [['invite', 'cat', '--account', 'nobody'], 'no account nobody'],
    [['disable', 'cat'], 'no user cat; see "sluice users list"'],
    [['reset', 'cat'], 'no user cat; see "sluice users list"'],
  ] as const) {
    const { status, stderr } = await sluice('users', ...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  }
  const elsewhere = sluiceHere({
    DATABASE_URL: ownerUrl,
    ISSUER_URL: ISSUER,
    OIDC_ISSUER: 'https://login.example',
  })
  expect((await elsewhere('users', 'reset', 'ann')).stderr).toContain(
    'users sign in at https://login.example: give people an account there, and link it with "sluice identities link"',
  )
})
