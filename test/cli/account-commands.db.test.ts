import { expect, test } from 'vitest'
import { hashApiKey } from '../../db/values/api-key.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { sluiceHere } from './sluice-here.ts'

const { ownerUrl } = await testDatabase()
const sluice = sluiceHere({ DATABASE_URL: ownerUrl })

test('an operator creates an account, creates and revokes keys and changes the plan, by id or by name', async () => {
  const accountId = (await sluice('accounts', 'create', '--name', 'acme', '--plan', 'free')).stdout.trim()
  const created = await sluice('keys', 'create', '--account', 'acme', '--name', 'laptop')
  const key = created.stdout.split('\n')[0]!
  const [stored] = await query<{ prefix: string; account_id: string; hash: Buffer }>(
    ownerUrl,
    'select prefix, account_id, hash from api_keys',
  )
  expect(stored).toMatchObject({ account_id: accountId, hash: hashApiKey(key) })
  expect(key.startsWith(stored!.prefix)).toBe(true)

  expect((await sluice('keys', 'list', '--account', accountId)).stdout).toContain('laptop')
  const revoke = () => sluice('keys', 'revoke', '--account', 'acme', '--prefix', stored!.prefix)
  expect((await revoke()).status).toBe(0)
  expect(await revoke()).toMatchObject({ status: 1, stdout: 'no such key\n' })
  expect((await sluice('accounts', 'set-plan', '--account', 'acme', '--plan', 'pro')).stdout).toBe(
    'acme has the plan pro\n',
  )
  expect((await sluice('accounts', 'list')).stdout).toMatch(/acme.*pro/)
})

test('errors are one line without a stack', async () => {
  await sluice('accounts', 'create', '--name', 'twin', '--plan', 'free')
  await sluice('accounts', 'create', '--name', 'twin', '--plan', 'free')
  const failures = [
    [['keys', 'list', '--account', 'nobody'], 'no account nobody; see "sluice accounts list"', 1],
    [['keys', 'list', '--account', 'twin'], '2 accounts are named twin: use the id of one of them', 1],
    [
      ['accounts', 'create', '--name', 'x', '--plan', 'gold'],
      '--plan must be one of free, starter, pro, enterprise, not "gold"',
      2,
    ],
    [['keys', 'list', '--acount', 'x'], 'has no option --acount; did you mean "--account"?', 2],
  ] as const
  for (const [args, message, code] of failures) {
    const { status, stderr } = await sluice(...args)
    expect(status).toBe(code)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  }
})
