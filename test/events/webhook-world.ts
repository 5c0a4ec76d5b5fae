import { afterAll } from 'vitest'
import { createWebhookSender } from '../../activities/events/send-webhook.ts'
import type { DeliverDeps } from '../../activities/events/deliver-webhooks.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { createSealingKey, sealingPublicKey, sealSecret } from '../../db/values/sealed-secret.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { createWebhookSecret } from '../../db/values/webhook-signature.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { deliverDue } from './deliver-due.ts'

export const sealingKey = createSealingKey()

/** Accounts with endpoints and events, and the delivery of these on a clock of its own. */
export async function webhookWorld(database: TestDatabase, receiver: { url: string }) {
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    query<Row>(database.ownerUrl, text, values)
  const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test-owner' })
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test-ingest' })
  const sender = createWebhookSender({
    allowed: new Set([new URL(receiver.url).host]),
    resolve: async () => [],
    deadlineMs: 5_000,
  })
  afterAll(async () => {
    await Promise.all([sender.close(), owner.close(), ingest.close()])
  })
  let aheadMs = 0
  const errors: unknown[] = []
  const deps: DeliverDeps = {
    pool: ingest.pool,
    sender,
    privateKeys: [sealingKey],
    now: () => new Date(Date.now() + aheadMs),
    random: () => 0.5,
    log: { error: (...line: unknown[]) => void errors.push(line) },
  }

  async function newAccount(): Promise<string> {
    const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
    return accountId
  }

  /** An endpoint at a path of the receiver. */
  async function newEndpoint(options: { accountId: string; state?: string; path?: string }) {
    const { accountId, state = 'active', path = '/in' } = options
    const [id, secret] = [uuidV7(Date.now()), createWebhookSecret()]
    const sealed = sealSecret({
      secret,
      context: { accountId, endpointId: id },
      publicKey: sealingPublicKey(sealingKey),
    })
    await ask(
      `insert into webhook_endpoints (id, account_id, url, types, state, key_id, wrapped_key, ciphertext)
       values ($1, $2, $3, '{wallet.transaction}', $4, $5, $6, $7)`,
      [id, accountId, receiver.url + path, state, sealed.keyId, sealed.wrappedKey, sealed.ciphertext],
    )
    return { id, accountId, secret }
  }

  /** Gives an endpoint another secret, as the API does. */
  async function rotate({ id, accountId: account }: { id: string; accountId: string }): Promise<string> {
    const secret = createWebhookSecret()
    const sealed = sealSecret({
      secret,
      context: { accountId: account, endpointId: id },
      publicKey: sealingPublicKey(sealingKey),
    })
    await ask(
      `update webhook_endpoints set previous_key_id = key_id, previous_wrapped_key = wrapped_key,
         previous_ciphertext = ciphertext, previous_until = now() + interval '24 hours',
         key_id = $2, wrapped_key = $3, ciphertext = $4 where id = $1`,
      [id, sealed.keyId, sealed.wrappedKey, sealed.ciphertext],
    )
    return secret
  }

  /** Dependencies of a process that ends at its statement number `point`: before it, or before its answer. */
  function endingAt(point: number) {
    let n = 0
    let isReached = false
    const end = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isReached) throw new Error('this process has ended')
      if (n++ !== point) return work()
      isReached = true
      if (point % 2 === 0) await work()
      throw new Error('this process has ended')
    }
    /** COPY is a stream and no promise, and a process that ends there has sent nothing of it. */
    const endBefore = <T>(work: () => T): T => {
      isReached ||= n++ === point
      if (isReached) throw new Error('this process has ended')
      return work()
    }
    const within = <Client extends object>(client: Client): Client =>
      new Proxy(client, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>
          if (name === 'query')
            return (...args: unknown[]) => {
              if (args[0] === 'rollback') return call(...args)
              const isStream = typeof (args[0] as { submit?: unknown }).submit === 'function'
              return (isStream ? endBefore : end)(() => call(...args))
            }
          if (name === 'connect') return async () => within((await call()) as object)
          return call
        },
      })
    return { deps: { pool: within(ingest.pool) }, reached: () => isReached }
  }

  let lastSeq = 1_000_000

  /** Publishes an event and sends it to an endpoint. Returns its number. */
  async function publish(
    endpoint: { id: string; accountId: string },
    { type = 'wallet.transaction', lane = 0 }: { type?: string; lane?: number } = {},
  ): Promise<number> {
    const seq = ++lastSeq
    const [id, at] = [uuidV7(Date.now()), deps.now()]
    const body = JSON.stringify({ id: `evt_${id}`, type, timestamp: at, seq: String(seq), data: {} })
    await ask(
      `insert into account_events (seq, account_id, id, type, body, credits, held, created_at)
       values ($1, $2, $3, $4, $5, 0, false, $6)`,
      [seq, endpoint.accountId, id, type, body, at],
    )
    await ask('insert into deliveries (endpoint_id, seq, lane, next_at) values ($1, $2, $3, $4)', [
      endpoint.id,
      seq,
      lane,
      at,
    ])
    return seq
  }

  return {
    ask,
    deps,
    errors,
    newAccount,
    newEndpoint,
    rotate,
    endingAt,
    publish,
    /** Deletes all endpoints and sets the clock right. */
    async reset(): Promise<void> {
      aheadMs = 0
      await ask('delete from webhook_endpoints')
    },
    /** Moves the clock of the delivery. */
    pass: (ms: number): void => void (aheadMs += ms),
    deliveries: (endpointId: string) =>
      ask<DeliveryState>(
        `select seq::integer, attempts, next_at = 'infinity' as waits, next_at is null as ended, status, failure,
           delivered_at is not null as delivered
         from deliveries where endpoint_id = $1 order by seq`,
        [endpointId],
      ),
    endpoint: async (id: string) =>
      (
        await ask<{ state: string; reason: string | null; failures: number }>(
          'select state, reason, failures from webhook_endpoints where id = $1',
          [id],
        )
      )[0],
    /** Sends what is due at this time, and what follows from it at once. */
    deliver: (changed: Partial<DeliverDeps> = {}) => deliverDue({ ...deps, ...changed }),
  }
}

interface DeliveryState {
  seq: number
  attempts: number
  waits: boolean | null
  ended: boolean
  status: number | null
  failure: string | null
  delivered: boolean
}
