import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createWebhookReceiver } from '../../cli/webhook-receiver.ts'
import { listWebhooks } from '../../db/events/operator-read.ts'
import { openDb } from '../../db/connect.ts'
import { createWebhookSecret, signatureHeaders } from '../../db/values/webhook-signature.ts'
import { testDatabase } from '../setup/database.ts'
import { webhookWorld } from './webhook-world.ts'

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const world = await webhookWorld(database, { url: 'http://127.0.0.1:8490' })
afterAll(() => owner.close())

test('sluice webhooks receive prints genuine events, and refuses forged and old ones', async () => {
  const secret = createWebhookSecret()
  const lines: string[] = []
  const server = createWebhookReceiver({ secret, print: (line) => lines.push(line) }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = '{"id":"evt_1","type":"test.ping"}'
  const post = async (by: string, at = new Date()) => {
    const headers = signatureHeaders({ id: 'evt_1', body, at, secrets: [by] })
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  expect(await post(secret)).toBe(204)
  expect(await post(createWebhookSecret())).toBe(400)
  expect(await post(secret, new Date(Date.now() - 360_000))).toBe(400)
  expect((await fetch(url, { method: 'POST', body })).status).toBe(400)
  expect(lines).toEqual([body, ...Array(3).fill(expect.stringMatching(/^refused/))])
  server.closeAllConnections()
  server.close()
})

test('sluice webhooks lists all endpoints with what waits for them, failing ones first', async () => {
  await world.ask(
    `create table account_events_of_test partition of account_events for values from ('2000-01-01') to ('2100-01-01')`,
  )
  const good = await world.newEndpoint({ accountId: await world.newAccount(), path: '/good' })
  const bad = await world.newEndpoint({ accountId: good.accountId, path: '/bad', state: 'disabled' })
  await world.publish(bad)
  expect(await listWebhooks(owner.db)).toMatchObject([
    { id: bad.id, account: 'test', url: 'http://127.0.0.1:8490/bad', state: 'disabled', waiting: 1 },
    { id: good.id, state: 'active', failures: 0, waiting: 0 },
  ])
})
