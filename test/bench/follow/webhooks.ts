import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../../db/connect.ts'
import type { Db } from '../../../db/schema.ts'
import { createSealingKey, sealingPublicKey, sealSecret } from '../../../db/values/sealed-secret.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import { createWebhookSecret } from '../../../db/values/webhook-signature.ts'
import { openAccount } from '../read/seed.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { walletAddress } from './chain.ts'
import { startChild } from './child.ts'
import { happen, insertWallets, markOf, percentile } from './happen.ts'

const ENDPOINTS = 100
/** An account of the largest plan is sent 1,000 events a second. */
const ACCOUNTS = 10
const BURST = 4_000
const PACED = 500
const PACE_MS = 10
const DEADLINE_MS = 60_000

/** Events of a burst a second, until their receivers have them; and of a calm time, from row to receipt. */
export async function measureDeliveries(input: {
  owner: Connection<Db>
  databaseUrl: string
  cleanup: Cleanup
}): Promise<{ perSecond: number; p50Ms: number; p99Ms: number }> {
  const { owner, databaseUrl, cleanup } = input
  const receivers = await startReceivers(cleanup)
  const sealingKey = createSealingKey()
  const accountIds: string[] = []
  for (let n = 0; n < ACCOUNTS; n++) accountIds.push(await openAccount(owner.db))
  const addresses = Array.from({ length: ENDPOINTS }, (_, n) => walletAddress(n))
  const walletIds = await insertWallets(owner.pool, addresses)
  for (const [n, url] of receivers.urls.entries()) {
    const id = uuidV7(Date.now())
    const accountId = accountIds[n % ACCOUNTS]!
    const sealed = sealSecret({
      secret: createWebhookSecret(),
      context: { accountId, endpointId: id },
      publicKey: sealingPublicKey(sealingKey),
    })
    await owner.pool.query(
      `with endpoint as (
         insert into webhook_endpoints (id, account_id, url, types, state, key_id, wrapped_key, ciphertext)
         values ($1, $2, $3, '{wallet.balance}', 'active', $4, $5, $6)
       ) insert into event_subscriptions (account_id, endpoint_id, wallet_id) values ($2, $1, $7)`,
      [id, accountId, url, sealed.keyId, sealed.wrappedKey, sealed.ciphertext, walletIds[n]],
    )
  }
  const hosts = receivers.urls.map((url) => new URL(url).host).join(',')
  const { child } = await startChild(
    { program: 'events-process.ts', args: [databaseUrl, sealingKey, hosts] },
    cleanup,
  )
  const each = (count: number, first: number) =>
    walletIds.map((walletId, n) => ({
      walletId,
      marks: Array.from({ length: count }, (_, i) => first + n * count + i),
    }))

  await happen(owner.pool, each(1, 0))
  await receivers.until(ENDPOINTS)
  // They become visible all at once, when their transaction commits.
  await happen(owner.pool, each(BURST / ENDPOINTS, 1_000))
  const startMs = performance.now()
  await receivers.until(ENDPOINTS + BURST)
  const perSecond = (BURST / (performance.now() - startMs)) * 1_000

  const committedMs = new Map<number, number>()
  const beganMs = performance.now()
  for (let n = 0; n < PACED; n++) {
    await sleep(Math.max(0, beganMs + n * PACE_MS - performance.now()))
    const mark = 100_000 + n
    await happen(owner.pool, [{ walletId: walletIds[n % ENDPOINTS]!, marks: [mark] }])
    committedMs.set(mark, performance.now())
  }
  await receivers.until(ENDPOINTS + BURST + PACED)
  await child.end()
  const tookMs = [...committedMs].map(([mark, ms]) => receivers.gotMs.get(mark)! - ms)
  return { perSecond, p50Ms: percentile(tookMs, 50), p99Ms: percentile(tookMs, 99) }
}

/** Receivers at ports of their own, which answer 204. */
async function startReceivers(cleanup: Cleanup) {
  const gotMs = new Map<number, number>()
  const servers = Array.from({ length: ENDPOINTS }, () =>
    createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        gotMs.set(markOf(body), performance.now())
        response.writeHead(204).end()
      })
    }),
  )
  await Promise.all(
    servers.map((server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))),
  )
  cleanup.add(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  async function until(count: number): Promise<void> {
    const startMs = performance.now()
    while (gotMs.size < count) {
      if (performance.now() - startMs > DEADLINE_MS)
        throw new Error(`${gotMs.size} of ${count} events are delivered after a minute`)
      await sleep(5)
    }
  }
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`)
  return { urls, gotMs, until }
}
