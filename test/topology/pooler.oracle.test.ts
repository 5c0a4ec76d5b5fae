import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { cacheFolder } from '../../cli/folders.ts'
import { findPgBouncer } from '../../cli/pgbouncer/find-pgbouncer.ts'
import { pgBouncerService } from '../../cli/pgbouncer/pgbouncer-service.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { startService } from '../../cli/supervisor/service.ts'
import { atInstant } from '../../db/at-instant.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { copyRows, type CopyValue } from '../../db/copy-rows.ts'
import { ROLE_SETTINGS } from '../../db/migrate.ts'
import { readSql } from '../../db/read-sql.ts'
import { transact } from '../../db/transact.ts'
import { withExportSnapshot } from '../../export/snapshot.ts'
import { startApi } from '../setup/api.ts'
import { ROLE_PASSWORDS, testDatabase, throughPort } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import {
  activateNetworks,
  address,
  hash,
  insertTransactions,
  insertWallet,
} from '../setup/wallet-factories.ts'

/**
 * PgBouncer gives each transaction any free session, and there are fewer sessions than clients. So the state
 * of a session may come from another client.
 */

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'sluice-pooler-'))
await chmod(folder, 0o711)
const port = await freePort()
const spec = pgBouncerService({
  program: await findPgBouncer({ env: process.env, cacheFolder: cacheFolder() }),
  port,
  folder,
  postgresPort: inject('postgres').port,
  database: database.name,
  users: ROLE_PASSWORDS,
  poolSizes: { api: 2, meter: 2, ingest: 2 },
})
const pooler = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
await pooler.ready
const pooled = (url: string) => throughPort(url, port)
const ingest = openDb({ url: pooled(database.ingestUrl), maxConnections: 8, applicationName: 'test' })
const reads = openReadonlyDb({ url: pooled(database.apiUrl), maxConnections: 8, applicationName: 'test' })
const urls = { apiUrl: pooled(database.apiUrl), meterUrl: pooled(database.meterUrl) }
const api = await startApi({ database: { ...database, ...urls }, routes })
afterAll(async () => {
  await Promise.all([ingest.close(), reads.close()])
  await pooler.stop()
  await rm(folder, { recursive: true, force: true })
})

const NOW = new Date()
const WALLETS = Array.from({ length: 20 }, (_, n) => address(n + 1))
const times = (count: number) => Array.from({ length: count }, (_, n) => n)

test('clients share sessions, and each session has the settings of the role', async () => {
  const { pool } = reads
  const pids = await Promise.all(
    times(50).map(() => pool.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.01)')),
  )
  expect(new Set(pids.map(({ rows }) => rows[0]!.pid)).size).toBeLessThanOrEqual(2)
  for (const [name, value] of Object.entries(ROLE_SETTINGS.api)) {
    const { rows } = await pool.query<{ value: string }>('select current_setting($1) as value', [name])
    expect(rows[0]!.value).toBe(value)
  }
})

test('32 clients read pages, and the charges are exact', async () => {
  await activateNetworks(api.owner, ['ethereum'])
  await insertCoin(api.owner, { id: 'ethereum', priceUsd: '3000', at: NOW, rank: 1 })
  for (const [n, wallet] of WALLETS.entries()) {
    const walletId = await insertWallet(api.owner, { address: wallet, syncs: { ethereum: NOW } })
    const main = { coinId: 'ethereum', symbol: 'ETH', count: '1', valueUsd: '3000' }
    await insertTransactions(api.owner, {
      walletId,
      transactions: [{ networkId: 'ethereum', at: NOW, hash: hash(n + 1), main }],
    })
  }
  const { accountId, key } = await api.newAccount({ plan: 'pro' })
  const paths = [
    (n: number) => `/wallet/transactions?address=${WALLETS[n % 20]}&connectionId=ethereum`,
    (n: number) => `/wallet/transactions?address=${WALLETS[n % 20]}&connectionId=ethereum&page=2`,
    () => '/coins?limit=3',
    () => '/coins/ethereum',
  ]
  let next = 0
  let cost = 0
  const client = async () => {
    for (let n = next++; n < 1_000; n = next++) {
      const response = await api.get(paths[n % paths.length]!(n), key)
      expect([response.status, await response.json()]).toMatchObject([200, {}])
      cost += Number(response.headers.get('x-credits-cost'))
    }
  }
  await Promise.all(times(32).map(client))
  const [ledger] = await query<{ calls: number; credits: number; posted: number }>(
    database.ownerUrl,
    `select count(*)::int as calls, sum(credits)::int as credits,
       (select sum(posted)::int from credit_periods where account_id = $1) as posted
     from ledger_entries where account_id = $1`,
    [accountId],
  )
  expect(ledger).toEqual({ calls: 1_000, credits: cost, posted: cost })
  // The pooler prepares statements under its own names, once per session for all clients.
  const prepared = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(ingest.db)
  expect(prepared.rows.every(({ name }) => name.startsWith('PGBOUNCER_'))).toBe(true)
})

test('eight writers write the same rows at once, and each row exists once', async () => {
  const columns = [
    'id',
    'symbol',
    'name',
    'slug',
    'icon',
    'is_stable',
    'categories',
    'last_seen_at',
    'source',
    'fetched_at',
  ]
  const rows = times(5_000).map((n): CopyValue[] => {
    const id = `coin-${n}`
    return [id, `c${n}`, `Coin ${n}`, id, '', false, [], NOW, 'test', NOW]
  })
  const write = () =>
    transact(ingest.pool, ({ client }) => copyRows(client, { table: 'coins', columns, key: ['id'], rows }))
  const written = await Promise.all(times(8).map(write))
  expect(written.reduce((sum, one) => sum + one)).toBe(rows.length)
  expect(await write()).toBe(0)
})

test('the settings of a read as of an instant end with its transaction', async () => {
  const path = () => sql<{ path: string }>`select current_setting('search_path') as path`
  const then = await atInstant(reads.db, { instant: new Date(), read: (db) => readSql(db, path()) })
  expect(then).toEqual([{ path: 'as_of, public' }])
  const after = await Promise.all(times(20).map(() => readSql(reads.db, path())))
  expect(new Set(after.map(([row]) => row!.path))).toEqual(new Set(['"$user", public']))
})

test('exports hold their lock until they end, so they run one after the other', async () => {
  let running = 0
  const one = () =>
    withExportSnapshot(ingest.pool, async ({ client }) => {
      expect(++running).toBe(1)
      await client.query('select pg_sleep(0.2)')
      running--
    })
  await expect(withExportSnapshot(ingest.pool, () => Promise.reject(new Error('full')))).rejects.toThrow(
    'full',
  )
  await Promise.all([one(), one()])
  expect(await query(database.ownerUrl, `select from pg_locks where locktype = 'advisory'`)).toEqual([])
})
