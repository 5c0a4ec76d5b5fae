import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { rotateSecrets } from '../../db/exchanges/rotate-secrets.ts'
import { openDb } from '../../db/connect.ts'
import { createSealingKey } from '../../db/values/sealed-secret.ts'
import { binanceKeys, krakenKeys } from '../../sandbox/exchanges/keys.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { connectAccount, syncDirectly } from './connect.ts'
import { exchangeDeps, startExchanges } from './exchange-world.ts'

// Failures of an exchange or a key, and what stays stored.

const database = await testDatabase()
const exchanges = await startExchanges()
const { deps, publicKey, privateKey } = exchangeDeps(database, exchanges)
const activities = createExchangesActivities(deps)
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
let binance: string
let kraken: string

beforeAll(async () => {
  for (const [exchange, key] of [
    ['binance', binanceKeys[0]!],
    ['kraken', krakenKeys[0]!],
  ] as const) {
    const { connectionId } = await connectAccount(database, { activities, exchange, key, publicKey })
    if (exchange === 'binance') binance = connectionId
    else kraken = connectionId
  }
  return () => owner.close()
})
beforeEach(async () => {
  exchanges.faults.clear()
  await sql`update source_states set next_request_at = '-infinity', consecutive_failures = 0`.execute(
    owner.db,
  )
})

const failure = async (work: Promise<unknown>): Promise<any> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe('errors of an exchange', () => {
  test('a rate limit is retried after the requested time and delays every worker', async () => {
    exchanges.faults.add({ source: 'binance', kind: 'rate_limit', match: '/account', count: 1 })
    const error = await failure(activities.beginExchangeSync({ connectionId: binance }))
    expect(error).toBeInstanceOf(SourceUnavailable)
    expect(error.retryAfterMs).toBe(1_000)
    const [state] = await query<any>(
      database.ownerUrl,
      `select next_request_at > now() as waits, last_failure from source_states where source = 'binance'`,
    )
    expect(state).toEqual({ waits: true, last_failure: expect.stringContaining('429') })
  })

  test.each(['error', 'malformed', 'truncate'] as const)(
    '%s: retryable, and stored balances stay',
    async (kind) => {
      const balances = () => query<any>(database.ownerUrl, 'select * from exchange_balances order by 1, 2')
      const before = await balances()
      exchanges.faults.add({ source: 'binance', kind, match: '/account', count: 1 })
      const error = await failure(activities.beginExchangeSync({ connectionId: binance }))
      expect(error).toBeInstanceOf(SourceUnavailable)
      expect(error.message).not.toMatch(/signature|sandbox-binance|http/)
      expect(await balances()).toEqual(before)
      expect(before.length).toBeGreaterThan(5)
    },
  )

  test('measures a wrong clock again before the next try', async () => {
    exchanges.clock.aheadMs = 60_000
    expect(await failure(activities.beginExchangeSync({ connectionId: binance }))).toBeInstanceOf(
      SourceUnavailable,
    )
    expect(await failure(activities.beginExchangeSync({ connectionId: binance }))).toBeNull()
    exchanges.clock.aheadMs = 0
    await failure(activities.beginExchangeSync({ connectionId: binance }))
  })

  test('a revoked key is not retried, and the message contains nothing of it', async () => {
    const [key] = binanceKeys
    const { apiSecret } = key!
    key!.apiSecret = 'changed'
    const error = await failure(activities.beginExchangeSync({ connectionId: binance }))
    key!.apiSecret = apiSecret
    expect(error).toBeInstanceOf(SourceRejected)
    expect(error.name).toBe('SourceRejected')
    expect(error.message).toContain('AuthenticationError')
    expect(error.message).not.toMatch(/signature=|sandbox-binance-reader|http/)
  })

  test('a sync killed at any point continues and ends with the rows of an undisturbed one', async () => {
    for (let i = 1; i <= 4; i++) {
      exchanges.faults.add({
        source: 'kraken',
        kind: 'error',
        match: i % 2 ? 'Ledgers' : 'TradesHistory',
        count: 1,
      })
      await failure(syncDirectly(activities, kraken))
    }
    exchanges.faults.clear()
    await sql`update source_states set next_request_at = '-infinity'`.execute(owner.db)
    await syncDirectly(activities, kraken)
    const other = await connectAccount(database, {
      activities,
      exchange: 'kraken',
      key: krakenKeys[0]!,
      publicKey,
    })
    await syncDirectly(activities, other.connectionId)
    const rows = (connectionId: string) =>
      query<any>(
        database.ownerUrl,
        `select kind, key, at, status, asset, amount, quote_asset, quote_amount, fee_asset, fee_amount
         from exchange_transactions where connection_id = $1 order by kind, key`,
        [connectionId],
      )
    const uninterrupted = await rows(other.connectionId)
    expect(uninterrupted.length).toBeGreaterThan(200)
    expect(await rows(kraken)).toEqual(uninterrupted)
  })

  test('a later sync settles a withdrawal that was pending', async () => {
    const { at } = exchanges.newestWithdrawal()!
    const syncAt = async (ms: number) => {
      exchanges.clock.aheadMs = ms - Date.now()
      // Another process measures the clock of the exchange itself.
      const process = createExchangesActivities(deps)
      await syncDirectly(process, connectionId)
      return query<any>(
        database.ownerUrl,
        `select status, (select count(*)::int from exchange_legs l
           where l.connection_id = t.connection_id and l.kind = t.kind and l.key = t.key) as legs
         from exchange_transactions t where connection_id = $1 and kind = 'withdrawal' and at >= $2`,
        [connectionId, new Date(Math.floor(at / 1_000) * 1_000)],
      )
    }
    const { connectionId } = await connectAccount(database, {
      activities,
      exchange: 'binance',
      key: binanceKeys[0]!,
      publicKey,
    })
    expect(await syncAt(at + 30 * 60_000)).toEqual([{ status: 'pending', legs: 0 }])
    expect(await syncAt(at + 90 * 60_000)).toEqual([{ status: 'ok', legs: 2 }])
    exchanges.clock.aheadMs = 0
  })
})

describe('keys', () => {
  test('S4 a rotation moves every secret to the newest key; syncs work before and after, and the old key opens nothing', async () => {
    const next = createSealingKey()
    const before = await query<any>(
      database.ownerUrl,
      'select * from exchange_secrets order by connection_id',
    )
    const withKeys = (exchangeKeys: string[]) =>
      createExchangesActivities({ ...deps, config: { ...deps.config, exchangeKeys } })
    expect(await rotateSecrets(owner.db, [next, privateKey])).toEqual({ rotated: before.length })
    expect(await rotateSecrets(owner.db, [next, privateKey])).toEqual({ rotated: 0 })
    const after = await query<any>(database.ownerUrl, 'select * from exchange_secrets order by connection_id')
    expect(after.map(({ ciphertext }) => ciphertext)).toEqual(before.map(({ ciphertext }) => ciphertext))
    expect(new Set(after.map(({ key_id }) => key_id)).size).toBe(1)
    await withKeys([next]).beginExchangeSync({ connectionId: binance })
    await withKeys([next, privateKey]).beginExchangeSync({ connectionId: binance })
    expect(await failure(withKeys([privateKey]).beginExchangeSync({ connectionId: binance }))).not.toBeNull()
  })

  test('S4 a secret copied to another connection does not open', async () => {
    await query(
      database.ownerUrl,
      `update exchange_secrets set (ciphertext, wrapped_key) =
         (select ciphertext, wrapped_key from exchange_secrets where connection_id = $1)
       where connection_id = $2`,
      [binance, kraken],
    )
    expect(await failure(activities.beginExchangeSync({ connectionId: kraken }))).not.toBeNull()
  })
})
