import { Webhook } from 'standardwebhooks'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { browse } from '../account/browse.ts'
import { runBlock } from '../docs/run-block.ts'
import { startReceiver } from '../events/receiver.ts'
import { tellWallet } from '../events/watched-wallet.ts'
import { sealingKey, webhookWorld } from '../events/webhook-world.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { resultIn, startConnectWorld } from './connect-world.ts'

// A partner follows docs/clients.md with the commands that stand there: from an endpoint and a user who connects a
// wallet to its events and figures. The worker is the real code, on a chain that the test tells. partner.clients.test.ts
// begins with a fresh installation.

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
const webhooks = { sealKey: sealingPublicKey(sealingKey), allowed: new Set([new URL(receiver.url).host]) }
const { api, url, newKit, screen } = await startConnectWorld({ database, overrides: { webhooks } })
const partner = await api.newAccount({ plan: 'pro' })
const user = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const wallet = user.address.toLowerCase()
const page = 'docs/clients.md'
const DAYS = [4, 3, 2, 1, 0].map((ago) => new Date(startOfPeriod('daily', Date.now()) - ago * DAY_MS))
const values = {
  'https://SLUICE': url,
  'sl_...': partner.key,
  'https://app.example.com/sluice': `${receiver.url}/sluice`,
}

const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const portfolios = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())

beforeAll(async () => {
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', priceUsd: '2000', at: new Date() })
  const points = DAYS.map((at) => [at, '2000'] as const)
  await insertPrices(api.owner, { coinId: 'ethereum', resolution: 'day', points })
  const hour = new Date(startOfPeriod('hourly', Date.now()))
  await insertPrices(api.owner, { coinId: 'ethereum', resolution: 'hour', points: [[hour, '2000']] })
  return () => ingest.close()
})

const run = (heading: string, word: string, more: Record<string, string> = {}) =>
  runBlock({ page, heading, word, values: { ...values, ...more } })

async function send(): Promise<void> {
  while ((await publishBatch({ pool: world.deps.pool })).isMore) continue
  world.pass(1_000)
  await world.deliver()
}

const FOLLOW = 'Follow what your users have connected'

test('an endpoint, a user who connects, the code, events and figures, and the end', async () => {
  await run(FOLLOW, '/v1/webhooks')
  await send()
  const [endpoint] = await query<{ id: string; state: string }>(
    database.ownerUrl,
    'select id, state from webhook_endpoints where account_id = $1',
    [partner.accountId],
  )
  expect(endpoint!.state).toBe('active')
  // The partner lost the secret, and makes another one.
  const rotated = await api.get(`/webhooks/${endpoint!.id}/rotate`, partner.key, { method: 'POST' })
  const { secret } = (await rotated.json()) as { secret: string }

  const kitId = await newKit(partner.accountId)
  const browser = browse(url)
  const csrf = await browser.csrfOf(screen(kitId, { at: '/wallet' }))
  const fields = { csrf, address: user.address, network: 'ethereum' }
  const asked = await browser.post(screen(kitId, { at: '/sign' }), fields)
  const message = /data-message="([^"]*)"/
    .exec(asked.text)![1]!
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const signature = await user.signMessage({ message })
  const done = await browser.post(screen(kitId, { at: '/signed' }), { csrf, signature })
  const { code, portfolioId } = resultIn(done)!.message
  await run('Redeem the code', '/v1/connect/redeem', { CODE: code! })

  const now = () => new Date()
  const chain = await tellWallet(world.deps.pool, { address: wallet, now })
  await chain.derive([{ number: 1, ether: 3n, at: DAYS[1]! }])
  await chain.complete()
  await send()
  await chain.derive([{ number: 2, ether: 1n }])
  await chain.complete()
  await send()
  // The first was the ping, under the lost secret.
  const events = receiver.got.slice(1).map(({ body, headers }) => {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>)
    return event as { type: string; data: { address?: string; connectionId?: string } }
  })
  expect(events).toMatchObject([
    { type: 'wallet.synced', data: { address: wallet, connectionId: 'ethereum' } },
    { type: 'wallet.transaction', data: { address: wallet, connectionId: 'ethereum', blockNumber: 2 } },
  ])

  await portfolios.settle(partner.accountId)
  await portfolios.compute({ walletId: chain.walletId, networkId: 'ethereum' })
  await run(FOLLOW, '/portfolio/value', { PORTFOLIO: portfolioId! })
  const value = await api.get(`/portfolio/value?portfolioId=${portfolioId}`, partner.key)
  expect(await value.json()).toMatchObject({ totalValue: 8_000, totalCost: 8_000 })
  await run(FOLLOW, '-X DELETE', { PORTFOLIO: portfolioId! })
  const gone = await api.get(`/portfolio/value?portfolioId=${portfolioId}`, partner.key)
  expect(gone.status).toBe(404)
})
