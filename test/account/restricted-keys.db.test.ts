import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKey } from '../../db/metering/write.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'

const database = await testDatabase()
const api = await startApi({
  database,
  routes: [...probeRoutes, { ...probeRoutes[0]!, path: '/other', tag: 'Others' }],
})
const { accountId } = await api.newAccount()

async function statuses(limits: Partial<Parameters<typeof createKey>[1]>) {
  const { key } = await createKey(api.owner, { accountId, name: 'limited', ...limits })
  const asked = [
    api.get('/probe', key),
    api.get('/probe', key, { method: 'PATCH' }),
    api.get('/other', key),
    api.get('/probe/items/known', key),
  ]
  return (await Promise.all(asked)).map(({ status }) => status)
}

test('a restricted key works for its endpoints and gets 403 elsewhere, without a charge', async () => {
  expect(await statuses({})).toEqual([200, 200, 200, 200])
  expect(await statuses({ readOnly: true })).toEqual([200, 403, 200, 200])
  expect(await statuses({ opens: ['Others'] })).toEqual([403, 403, 200, 403])
  expect(await statuses({ opens: ['GET /probe', 'GET /probe/items/{id}'] })).toEqual([200, 403, 403, 200])
  expect(await statuses({ opens: ['Probe'], readOnly: true })).toEqual([200, 403, 403, 200])
  const { key } = await createKey(api.owner, { accountId, name: 'limited', opens: ['Others'] })
  const refused = await api.get('/probe', key)
  expect(refused.headers.get('x-credits-cost')).toBe('0')
  expect(await refused.json()).toMatchObject({ statusCode: 403, message: 'Forbidden resource' })
  expect((await api.get('/probe?page=0', key)).status).toBe(400)
})

test('a key stops working within 5 seconds after it expires', async () => {
  const { key } = await createKey(api.owner, {
    accountId,
    name: 'short',
    expiresAt: new Date(Date.now() + 1_000),
  })
  expect((await api.get('/probe', key)).status).toBe(200)
  const startMs = Date.now()
  while ((await api.get('/probe', key)).status !== 401) {
    expect(Date.now() - startMs).toBeLessThan(6_000)
    await sleep(100)
  }
  expect(await statuses({ expiresAt: new Date(Date.now() - 1_000) })).toEqual([401, 401, 401, 401])
})

test('the CLI creates restricted keys and links identities', async () => {
  const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl, OIDC_ISSUER: 'https://id.example' })
  const create = (...more: string[]) =>
    sluice('keys', 'create', '--account', accountId, '--name', 'cli', ...more)
  expect(
    (await create('--read-only', '--opens', 'Coins,GET /wallet/balance', '--expires', '2030-01-01')).status,
  ).toBe(0)
  const listed = (await sluice('keys', 'list', '--account', accountId)).stdout
  expect(listed).toMatch(/cli +true +\["Coins","GET \/wallet\/balance"\].*2030-01-01T00:00:00\.000Z/)
  expect((await create('--opens', 'Coins,Cons')).stderr).toContain(
    'there is no tag or endpoint Cons; give tags of ',
  )
  expect((await create('--expires', 'tomorrow')).stderr).toContain(
    '--expires must be a date (YYYY-MM-DD, UTC) or an RFC 3339 timestamp, not "tomorrow"',
  )

  expect((await sluice('identities', 'link', 'alice', '--account', accountId)).stdout).toBe(
    `alice of https://id.example can open ${accountId}\n`,
  )
  expect((await sluice('identities', 'list')).stdout).toMatch(/https:\/\/id\.example +alice/)
  expect((await sluice('identities', 'unlink', 'alice')).status).toBe(0)
  expect(await sluice('identities', 'unlink', 'alice')).toMatchObject({
    status: 1,
    stdout: 'no such identity\n',
  })
  expect((await sluice('identities', 'link', 'alice')).stderr).toContain(
    'sluice identities link SUBJECT --account',
  )
})
