import { beforeAll, describe, expect, test } from 'vitest'
import { getWebhook } from '../../api/events/get-webhook.ts'
import { getWebhooks } from '../../api/events/get-webhooks.ts'
import { patchWebhook } from '../../api/events/patch-webhook.ts'
import { postWebhook } from '../../api/events/post-webhook.ts'
import { postWebhookRotate } from '../../api/events/post-webhook-rotate.ts'
import { routes } from '../../api/routes.ts'
import { rotateWebhookSecrets } from '../../db/events/rotate-webhook-secrets.ts'
import { createSealingKey, openSecret, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertWallet, outboxOf } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const sealingKey = createSealingKey()
const webhooks = { sealKey: sealingPublicKey(sealingKey), allowed: new Set(['127.0.0.1:9000']) }
const api = await startApi({ database, routes, overrides: { webhooks } })
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

beforeAll(() => activateNetworks(api.owner, ['ethereum', 'base-wallet']))

const init = (method: string, body?: unknown, headers: Record<string, string> = {}) => ({
  method,
  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
const wanted = {
  url: 'https://hooks.example.com/in',
  types: ['wallet.transaction'],
  wallets: 'all' as unknown,
}

async function added(fields: object = {}, options: Parameters<typeof api.newAccount>[0] = {}) {
  const account = await api.newAccount(options)
  const post = endpoint(api, { route: postWebhook, key: account.key })
  const { body, credits } = await post('/webhooks', init('POST', { ...wanted, ...fields }))
  return { ...account, webhook: body, credits }
}

const call = async (key: string, method: string, path: string, body?: unknown, headers = {}) => {
  const response = await api.get(path, key, init(method, body, headers))
  // Answers have many shapes. eslint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any, headers: response.headers }
}
const pings = (accountId: string) =>
  ask<{ payload: object }>(
    `select payload from event_sources where account_id = $1 and kind = 'test.ping' order by id`,
    [accountId],
  )
const watched = (id: string) =>
  ask(
    `select w.address, s.network_id from event_subscriptions s left join wallets w on w.id = s.wallet_id
     where endpoint_id = $1 order by 1, 2`,
    [id],
  )

async function storedSecret(id: string, accountId: string, keys = [sealingKey]) {
  const [row] = await ask<{ key_id: string; wrapped_key: Buffer; ciphertext: Buffer }>(
    'select key_id, wrapped_key, ciphertext from webhook_endpoints where id = $1',
    [id],
  )
  const sealed = { keyId: row!.key_id, wrappedKey: row!.wrapped_key, ciphertext: row!.ciphertext }
  return openSecret({ sealed, context: { accountId, endpointId: id }, privateKeys: keys })
}

describe('POST /webhooks', () => {
  test('adds an endpoint that has to answer a ping, and shows its secret once', async () => {
    const { key, accountId, webhook, credits } = await added()
    const { secret, ...rest } = webhook
    expect(credits).toBe(10)
    expect(secret).toMatch(/^whsec_/)
    expect(rest).toMatchObject({ state: 'new', confirmed: 'both', minValueUsd: 0, includeSpam: false })
    expect(rest).toMatchObject({ allPortfolios: true, wallets: 0, reason: null })
    expect(await pings(accountId)).toEqual([{ payload: { endpointId: webhook.id } }])
    expect(await watched(webhook.id)).toEqual([{ address: null, network_id: null }])
    const list = await endpoint(api, { route: getWebhooks, key })('/webhooks')
    expect(list.credits).toBe(3)
    expect(list.body.result).toEqual([{ ...rest, createdAt: expect.any(String) }])
    const one = await endpoint(api, { route: getWebhook, key })(`/webhooks/${webhook.id}`)
    expect(one.body).toEqual(list.body.result[0])
  })

  test('seals the secret for the worker: the row does not contain it', async () => {
    const { accountId, webhook } = await added()
    expect(await storedSecret(webhook.id, accountId)).toBe(webhook.secret)
    const [row] = await ask<{ text: string }>(
      'select e::text as text from webhook_endpoints e where id = $1',
      [webhook.id],
    )
    expect(row!.text).not.toContain(webhook.secret.slice(6))
  })

  test('repeated with its Idempotency-Key adds one endpoint, and the stored answer has no secret', async () => {
    const { key, accountId } = await api.newAccount()
    const again = { 'idempotency-key': 'once' }
    const first = await call(key, 'POST', '/webhooks', wanted, again)
    const second = await call(key, 'POST', '/webhooks', wanted, again)
    expect(second.body).toEqual({ ...first.body, secret: null })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await pings(accountId)).toHaveLength(1)
    const answers = await ask<{ body: string }>('select body from idempotent_answers where account_id = $1', [
      accountId,
    ])
    expect(answers[0]!.body).not.toContain('whsec_')
  })

  test('watches the named wallets, and syncs only those that are unknown', async () => {
    const known = address(0xa1)
    await insertWallet(api.owner, { address: known, syncs: { ethereum: new Date() } })
    const before = (await outboxOf(api.owner)).length
    const wallets = [
      { address: known, connectionId: 'ethereum' },
      { address: address(0xa2), connectionId: 'all' },
    ]
    const { webhook } = await added({ wallets })
    expect(webhook).toMatchObject({ allPortfolios: false, wallets: 2 })
    expect(await watched(webhook.id)).toEqual([
      { address: known, network_id: 'ethereum' },
      { address: address(0xa2), network_id: null },
    ])
    expect((await outboxOf(api.owner)).slice(before).map((one) => one.workflow_id)).toEqual([
      `sync:${address(0xa2)}:ethereum`,
      `sync:${address(0xa2)}:base-wallet`,
    ])
  })

  test.each([
    ['plain HTTP', { url: 'http://hooks.example.com' }, 'url'],
    ['this machine', { url: 'https://127.0.0.1/in' }, 'url'],
    ['metadata', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['no type', { types: [] }, 'types'],
    ['an unknown type', { types: ['wallet.nothing'] }, 'types'],
    ['no wallets', { wallets: [] }, 'wallets'],
    ['a wallet without a network', { wallets: [{ address: address(1) }] }, 'wallets'],
    ['an unknown field', { secret: 'mine' }, 'body'],
  ])('refuses %s', async (_name, fields, parameter) => {
    const { key, accountId } = await api.newAccount()
    const { status, body } = await call(key, 'POST', '/webhooks', { ...wanted, ...fields })
    expect([status, body.message]).toEqual([400, expect.stringContaining(`Invalid parameter: ${parameter}.`)])
    expect(await pings(accountId)).toEqual([])
  })

  test('takes a host that the operator opened', async () => {
    const { webhook } = await added({ url: 'http://127.0.0.1:9000/in' })
    expect(webhook.url).toBe('http://127.0.0.1:9000/in')
  })

  test('adds no more endpoints than the plan has, also at the same moment', async () => {
    const { key } = await api.newAccount({ plan: 'free' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(key, 'POST', '/webhooks', wanted)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400])
    const refused = answers.find(({ status }) => status === 400)!
    expect(refused.body.message).toBe('Your plan allows 2 webhook endpoints. Remove some, or change the plan')
  })
})

test('PUT and DELETE add and take wallets, up to the limit of the plan', async () => {
  const { key, webhook } = await added(
    { wallets: [{ address: address(1), connectionId: 'ethereum' }] },
    {
      plan: 'free',
    },
  )
  const path = `/webhooks/${webhook.id}/wallets`
  const some = (from: number, count: number, connectionId = 'ethereum') => ({
    wallets: Array.from({ length: count }, (_, i) => ({ address: address(from + i), connectionId })),
  })
  expect(await call(key, 'PUT', path, some(1, 3))).toMatchObject({ status: 200, body: { success: true } })
  expect(await watched(webhook.id)).toHaveLength(3)
  expect((await call(key, 'PUT', path, some(1, 98))).status).toBe(200)
  const over = await call(key, 'PUT', path, some(98, 10))
  expect([over.status, over.body.message]).toEqual([400, expect.stringContaining('100 watched wallets')])
  expect(await watched(webhook.id)).toHaveLength(98)
  expect((await call(key, 'DELETE', path, some(1, 96))).status).toBe(200)
  expect((await call(key, 'DELETE', path, some(97, 1, 'base-wallet'))).status).toBe(200)
  expect(await watched(webhook.id)).toHaveLength(2)
  await call(key, 'PUT', path, { wallets: 'all' })
  await call(key, 'PUT', path, { wallets: 'all' })
  expect(await watched(webhook.id)).toHaveLength(3)
  await call(key, 'DELETE', path, { wallets: 'all' })
  expect(await watched(webhook.id)).toHaveLength(2)
})

describe('PATCH /webhooks/{id}', () => {
  const patched = (key: string, id: string, body: unknown) =>
    endpoint(api, { route: patchWebhook, key })(`/webhooks/${id}`, init('PATCH', body))
  const setState = (id: string, state: string) =>
    ask('update webhook_endpoints set state = $2, failures = 7, failing_since = now() where id = $1', [
      id,
      state,
    ])

  test('changes single fields and pings only a new address', async () => {
    const { key, accountId, webhook } = await added()
    await setState(webhook.id, 'active')
    const types = ['wallet.balance', 'wallet.transaction']
    const { body } = await patched(key, webhook.id, { types, minValueUsd: 5 })
    expect(body).toMatchObject({ types, minValueUsd: 5, confirmed: 'both', url: wanted.url, state: 'active' })
    expect(await pings(accountId)).toHaveLength(1)
    const moved = await patched(key, webhook.id, { url: 'https://other.example.com' })
    expect(moved.body).toMatchObject({ url: 'https://other.example.com', state: 'new', failingSince: null })
    expect(await pings(accountId)).toHaveLength(2)
    expect((await endpoint(api, { route: getWebhook, key })(`/webhooks/${webhook.id}`)).body).toEqual(
      moved.body,
    )
  })

  test('pauses an endpoint, and starts it again with a ping', async () => {
    const { key, accountId, webhook } = await added()
    await setState(webhook.id, 'active')
    expect((await patched(key, webhook.id, { state: 'paused' })).body).toMatchObject({
      state: 'paused',
      reason: 'Paused by its owner',
    })
    expect((await patched(key, webhook.id, { state: 'active' })).body).toMatchObject({
      state: 'new',
      reason: null,
    })
    expect(await pings(accountId)).toHaveLength(2)
    await setState(webhook.id, 'disabled')
    expect((await patched(key, webhook.id, { state: 'active' })).body).toMatchObject({ state: 'new' })
    await setState(webhook.id, 'backing_off')
    expect((await patched(key, webhook.id, { state: 'active' })).body).toMatchObject({ state: 'backing_off' })
  })

  test('refuses an address that is not public, and no field at all', async () => {
    const { key, webhook } = await added()
    expect((await call(key, 'PATCH', `/webhooks/${webhook.id}`, { url: 'https://[::1]' })).status).toBe(400)
    expect((await call(key, 'PATCH', `/webhooks/${webhook.id}`, {})).status).toBe(400)
  })
})

test('POST rotate gives another secret and keeps the earlier one for a day', async () => {
  const { key, accountId, webhook } = await added()
  const rotate = endpoint(api, { route: postWebhookRotate, key })
  const { body } = await rotate(`/webhooks/${webhook.id}/rotate`, init('POST'))
  expect(body.secret).not.toBe(webhook.secret)
  expect(await storedSecret(webhook.id, accountId)).toBe(body.secret)
  const { body: seen } = await endpoint(api, { route: getWebhook, key })(`/webhooks/${webhook.id}`)
  expect(Date.parse(seen.previousSecretUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000)
})

test('the secrets of endpoints move to a newer key', async () => {
  const { key, accountId, webhook } = await added()
  await call(key, 'POST', `/webhooks/${webhook.id}/rotate`)
  const newer = createSealingKey()
  const secret = await storedSecret(webhook.id, accountId)
  await rotateWebhookSecrets(api.owner, [newer, sealingKey])
  expect(await storedSecret(webhook.id, accountId, [newer])).toBe(secret)
  const old = await ask<{ n: number }>(
    `select count(*)::integer as n from webhook_endpoints
     where key_id <> (select key_id from webhook_endpoints where id = $1) or previous_key_id <> key_id`,
    [webhook.id],
  )
  expect(old[0]!.n).toBe(0)
})

test('DELETE removes an endpoint with its wallets and deliveries', async () => {
  const { key, webhook } = await added()
  expect((await call(key, 'DELETE', `/webhooks/${webhook.id}`)).body).toEqual({ success: true })
  expect(await watched(webhook.id)).toEqual([])
  expect((await call(key, 'DELETE', `/webhooks/${webhook.id}`)).status).toBe(404)
})

test('an endpoint of another account is as unknown as one that does not exist', async () => {
  const { webhook } = await added()
  const { key } = await api.newAccount()
  const wallets = { wallets: 'all' }
  for (const id of [webhook.id, '00000000-0000-7000-8000-000000000000', 'x'])
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { minValueUsd: 1 }],
      ['DELETE', ''],
      ['PUT', '/wallets', wallets],
      ['DELETE', '/wallets', wallets],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['POST', '/replay', { fromSeq: '1' }],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await call(key, method, `/webhooks/${id}${path}`, body)
      expect([answer.status, answer.body.message]).toEqual([404, `Webhook with id '${id}' not found`])
    }
})
