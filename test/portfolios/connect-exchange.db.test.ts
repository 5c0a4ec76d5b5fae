import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { outboxOf } from '../setup/wallet-factories.ts'

// POST /portfolio/exchange without a worker that tries the credentials. With a worker:
// portfolio.workflow.test.ts.

const database = await testDatabase()
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const publicKey = sealingPublicKey(createSealingKey())
const vault = createVault({ pool: meter.pool, publicKey, waitMs: 200 })
const api = await startApi({ database, routes, overrides: { vault } })
const { key, accountId } = await api.newAccount()

const post = (body: unknown, as = key, server = api) =>
  server.get('/portfolio/exchange', as, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const connectionFields = { apiKey: 'k', apiSecret: 's' }

test('returns 503 and charges nothing when the exchange does not accept the credentials in time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => post({ connectionId: 'binance', connectionFields })),
  )
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    answers.map(() => [503, '2']),
  )
  expect(await query(database.ownerUrl, 'select from portfolios')).toEqual([])
  expect(await query(database.ownerUrl, 'select from ledger_entries')).toEqual([])
  const sealed = await query(database.ownerUrl, 'select account_id, version from exchange_secrets')
  expect(sealed).toEqual([{ account_id: accountId, version: 4 }])
  await meter.close()
})

test.each<[string, unknown, number, string]>([
  ['a list', [], 400, 'Invalid parameter: body'],
  ['no exchange', { connectionFields }, 400, 'Invalid parameter: connectionId'],
  [
    'an unknown exchange',
    { connectionId: '__proto', connectionFields },
    404,
    "Exchange with id '__proto' not found",
  ],
  ['no fields', { connectionId: 'binance' }, 400, 'Invalid parameter: connectionFields'],
  ['a missing field', { connectionId: 'okx', connectionFields }, 400, 'Invalid parameter: connectionFields'],
  [
    'a key with a control character',
    { connectionId: 'binance', connectionFields: { ...connectionFields, apiKey: 'a\u0001' } },
    400,
    'Invalid parameter: connectionFields',
  ],
  [
    'a name with a bell',
    { connectionId: 'binance', connectionFields, name: ' \u0007' },
    400,
    'Invalid parameter: name',
  ],
])('refuses a body with: %s', async (_name, body, status, message) => {
  const before = (await outboxOf(api.owner)).length
  const response = await post(body)
  expect(response.headers.get('x-credits-cost')).toBe('0')
  expect(await refusal(response)).toEqual([status, message])
  expect((await outboxOf(api.owner)).length).toBe(before)
})

test('stores nothing without credits, and returns 503 without a sealing key', async () => {
  const before = (await outboxOf(api.owner)).length
  const poor = await api.newAccount({ credits: 9 })
  expect((await post({ connectionId: 'binance', connectionFields }, poor.key)).status).toBe(429)
  expect((await outboxOf(api.owner)).length).toBe(before)
  const bare = await startApi({ database, routes })
  expect((await post({ connectionId: 'binance', connectionFields }, key, bare)).status).toBe(503)
})
