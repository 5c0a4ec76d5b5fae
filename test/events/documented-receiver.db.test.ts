import { expect, test } from 'vitest'
import { signatureHeaders, createWebhookSecret } from '../../db/values/webhook-signature.ts'
import { testDatabase } from '../setup/database.ts'
import { documentedReceiver } from './documented-programs.ts'
import { webhookWorld } from './webhook-world.ts'

// The Python receiver is run by test/clients/events.clients.test.ts, and this one once more.

const database = await testDatabase()
const receiver = await documentedReceiver({ kind: 'ts', program: process.execPath })

test('case 44 the TypeScript receiver of docs/events.md accepts events and refuses forged and old ones', async () => {
  const world = await webhookWorld(database, receiver)
  await world.ask(
    `create table account_events_of_test partition of account_events for values from ('2000-01-01') to ('2100-01-01')`,
  )
  const endpoint = await world.newEndpoint({ accountId: await world.newAccount() })
  receiver.start(endpoint.secret)
  await receiver.ready()
  const [first, second] = [await world.publish(endpoint), await world.publish(endpoint, { lane: 1 })]
  await world.deliver()
  expect(await world.deliveries(endpoint.id)).toMatchObject([{ delivered: true }, { delivered: true }])
  await expect.poll(() => receiver.printed).toHaveLength(2)
  for (const seq of [first, second])
    expect(receiver.printed).toContainEqual(expect.stringContaining(`"seq":"${seq}"`))
  // The same event once more is answered, and handled once.
  await world.ask(`update deliveries set next_at = now() - interval '1 s', delivered_at = null`)
  await world.deliver()
  expect(await world.deliveries(endpoint.id)).toMatchObject([{ delivered: true }, { delivered: true }])
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(receiver.url, { method: 'POST', body, headers })).status
  const body = '{"id":"evt_forged","type":"wallet.transaction"}'
  const signed = (secret: string, at = new Date()) =>
    signatureHeaders({ id: 'evt_forged', body, at, secrets: [secret] })
  expect(await post(body, signed(createWebhookSecret()))).toBe(400)
  expect(await post(body, signed(endpoint.secret, new Date(Date.now() - 360_000)))).toBe(400)
  expect(await post(body.replace('forged', 'other'), signed(endpoint.secret))).toBe(400)
  expect(receiver.printed).toHaveLength(2)
  expect(await post(body, signed(endpoint.secret))).toBe(204)
})
