import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { Context } from '@temporalio/activity'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { readSyncedWallets } from '../../db/chain/read-syncs.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readBooks } from '../../db/pnl/books.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import type { refreshWallets } from '../../workflows/chain/refresh-wallets.ts'
import type { syncWallet } from '../../workflows/chain/sync-wallet.ts'
import { expectLawThree } from '../pnl/law-three.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { Chains } from '../sandbox/chains.ts'
import { startSimulator } from '../sandbox/simulator.ts'
import { testDatabase } from '../setup/database.ts'
import { createWorkers } from '../setup/worker.ts'
import '../setup/provided.ts'
import { chainTransfers } from './independent-transfers.ts'
import { storedTransfers, sumText } from './stored-transfers.ts'

const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']
/** A part of the wallets; sandbox-wallets.db.test.ts compares all of them. */
const addresses = wallets.slice(0, 5).map(({ address }) => address)
const TASK_QUEUE = 'sync-wallet-test'
const database = await testDatabase()
const { db, pool, close } = openDb({
  url: database.ingestUrl,
  maxConnections: 10,
  applicationName: 'test',
})
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const folder = mkdtempSync(join(tmpdir(), 'sluice-chains-'))
const stops: (() => unknown)[] = []
let chains: Chains
let client: Client
let activities: ReturnType<typeof createActivities>

beforeAll(async () => {
  chains = await startChains(folder)
  stops.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => chains.stop(),
  )
  await fillChains(chains, { SANDBOX_SCALE: '0.1', SANDBOX_SEED: '5' })
  const { url: sandboxUrl, stop } = await startSimulator({ SANDBOX_SEED: '5', ...chains.env })
  stops.push(() => stop())
  const config = readWorkerConfig({
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    COINGECKO_URL: `${sandboxUrl}/coingecko/api/v3`,
    COINPAPRIKA_URL: `${sandboxUrl}/coinpaprika/v1`,
    DEFILLAMA_URL: `${sandboxUrl}/defillama`,
    FRANKFURTER_URL: `${sandboxUrl}/frankfurter`,
    ECB_URL: `${sandboxUrl}/ecb`,
    EUROFXREF_URL: `${sandboxUrl}/eurofxref`,
    ETHERSCAN_URL: `${sandboxUrl}/etherscan/v2/api`,
    ...chains.env,
  })
  const gate = createSourceGate({ db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: Math.random })
  stops.push(() => http.close())
  activities = createActivities({
    db,
    pool,
    http,
    config,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    heartbeat: () => Context.current().heartbeat(),
  })
  await markActiveNetworks(db, Object.keys(config.rpcUrls))
  await startWorker()
})

afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  await api.close()
  await close()
})

async function startWorker(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await createWorkers({
    connection,
    taskQueue: TASK_QUEUE,
    activities,
    shutdownGraceTime: '2s',
  })
  const running = worker.run()
  const clientConnection = await Connection.connect({ address })
  client = new Client({ connection: clientConnection })
  stops.push(async () => {
    worker.shutdown()
    await running
    await clientConnection.close()
    await connection.close()
  })
}

function sync(address: string, networkId: string) {
  return client.workflow.execute<typeof syncWallet>('syncWallet', {
    workflowId: `sync:${address}:${networkId}`,
    taskQueue: TASK_QUEUE,
    args: [{ address, networkId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  })
}

describe('wallet sync from the sandbox, end to end', () => {
  test('reaches the head with priced transfers of the chain and P&L days', async () => {
    await refreshCoins()
    for (const networkId of NETWORKS) {
      await Promise.all(addresses.map((address) => sync(address, networkId)))
      const expected = await chainTransfers(chains.rpcs[networkId].url, addresses)
      const stored = await storedTransfers(pool, networkId)
      expect(stored.length).toBeGreaterThan(10)
      expect(stored.map(sumText).sort()).toEqual(expected.map(sumText).sort())
    }
    const { rows } = await pool.query(
      `select count(*)::integer as syncs, count(*) filter (where synced_at is not null and failure is null
         and cursor_block >= head_block)::integer as synced,
         count(*) filter (where balances_at < synced_at)::integer as with_first_balances from wallet_syncs`,
    )
    expect(rows).toEqual([{ syncs: 10, synced: 10, with_first_balances: 10 }])
    const priced = await pool.query(
      // NFTs have no price.
      `select count(*)::integer as all, count(price_usd)::integer as priced from movements
       where role <> 'spam' and coin_id !~ '^0x[0-9a-f]+-'`,
    )
    expect(priced.rows[0].priced / priced.rows[0].all).toBeGreaterThan(0.95)
    expect((await pool.query('select count(*)::integer as days from pl_days')).rows[0].days).toBeGreaterThan(
      500,
    )
    expect((await pool.query(`select hash from wallet_transactions where type = 'balance'`)).rows).toEqual([])
  })

  test('realised plus unrealised profit of all coins equals the profit of the history, in every unit', async () => {
    const nowMs = Date.now()
    let profits = 0
    for (const address of addresses) {
      const synced = await readSyncedWallets(api.db, [address])
      const books = await readBooks(api.db, synced)
      expect(books).toHaveLength(2)
      for (const scope of [books, ...books.map((book) => [book])]) {
        const { coins, profitUsd } = await expectLawThree({ db: api.db, books: scope, nowMs })
        expect(coins).toBeGreaterThan(0)
        if (Math.abs(profitUsd) > 1) profits++
      }
    }
    expect(profits).toBeGreaterThan(5)
  })

  test('Y3 a hundred requests at once run one sync, which changes nothing', async () => {
    const address = wallets[0]!.address
    const before = await contents()
    const runs = await Promise.all(Array.from({ length: 100 }, () => sync(address, 'ethereum')))
    expect(new Set(runs.map(({ walletId }) => walletId)).size).toBe(1)
    expect(await contents()).toEqual(before)
  })

  test('the refresh starts the due syncs', async () => {
    await pool.query(
      `update wallet_syncs set synced_at = now() - interval '1 hour' where network_id = 'base-wallet'`,
    )
    const result = await client.workflow.execute<typeof refreshWallets>('refreshWallets', {
      workflowId: 'refresh-wallets-test',
      taskQueue: TASK_QUEUE,
      args: [{ olderThanSeconds: 1_800, limit: 100, parallel: 4 }],
    })
    expect(result.started).toBe(5)
    // They end on their own.
    const waiting = async () =>
      (await pool.query(`select 1 from wallet_syncs where synced_at < now() - interval '30 minutes'`))
        .rowCount
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0)
  })

  test('Y11 a failure is stored in the state of the sync', async () => {
    const address = wallets[0]!.address
    await expect(sync(address, 'polygon-wallet')).rejects.toThrow()
    const { rows } = await pool.query(`select failure from wallet_syncs where network_id = 'polygon-wallet'`)
    expect(rows).toEqual([{ failure: expect.stringContaining('RPC_URL_POLYGON_WALLET is not set') }])
  })
})

/** Loads the coin list as its schedule does. */
async function refreshCoins(): Promise<void> {
  await activities.refreshListings()
  await activities.refreshQuotes()
}

async function contents() {
  const { rows } = await pool.query(
    `select (select md5(string_agg(t::text, ',' order by t::text)) from (
         select network_id, hash, type, fragment from wallet_transactions) as t) as transactions,
       (select md5(string_agg(t::text, ',' order by t::text)) from (
         select network_id, tx_hash, seq, role, raw, price_usd from movements) as t) as movements`,
  )
  return rows[0]
}
