import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { expect } from 'vitest'
import { waitForPrices } from '../../cli/first-run/wait-for-data.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { chainTransfers } from '../chain/independent-transfers.ts'
import { storedTransfers, sumText } from '../chain/stored-transfers.ts'
import { type Link, startTopology } from '../crash/topology.ts'
import { undisturbedRun } from '../crash/undisturbed-run.ts'
import { walletTables } from '../crash/wallet-tables.ts'
import { query } from '../setup/query.ts'
import { startToxiproxy, type ToxicLink } from './toxiproxy.ts'

export const NETWORKS: readonly NetworkId[] = ['ethereum', 'base-wallet']
export const addresses = wallets.map(({ address }) => address)
export const log = (line: string) => console.log(`chaos: ${line}`)

export type World = Awaited<ReturnType<typeof startWorld>>

/** An installation with prices and no wallets. All its connections go through Toxiproxy. */
export async function startWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const toxiproxy = await startToxiproxy(log)
  const links = {} as Record<Link, ToxicLink>
  const topology = await startTopology(folder, log, async (name, port) => {
    links[name] = await toxiproxy.link(name, port)
    return links[name].port
  })
  const url = topology.databaseUrl('sluice')
  const { db, close } = openDb({ url, maxConnections: 1, applicationName: 'chaos-test' })
  const limits = { creditsPerMonth: 1_000_000_000n, requestsPerSecond: 100_000 }
  const { accountId } = await createAccount(db, { name: 'chaos', plan: 'enterprise', ...limits })
  const { key } = await createKey(db, { accountId, name: 'chaos' })
  const arePricesThere = await waitForPrices({ db, log, deadlineMs: Date.now() + 240_000 })
  await close()
  if (!arePricesThere) throw new Error('no prices after four minutes')

  /** Sends a request to the API. `ms`: time until the last byte. */
  async function ask(path: string, method = 'GET') {
    const startMs = performance.now()
    const response = await fetch(`${topology.apiUrl}${path}`, { method, headers: { 'x-api-key': key } })
    const body: unknown = await response.json()
    return { status: response.status, body, ms: performance.now() - startMs }
  }

  const requestSync = (address: string, networks: readonly NetworkId[] = NETWORKS) =>
    ask(`/wallet/transactions?address=${address}&connectionId=${networks.join(',')}`, 'PATCH')

  /** Waits until `syncs` wallet syncs are complete and returns the seconds it took. */
  async function untilSynced(syncs: number, networks: readonly NetworkId[] = NETWORKS): Promise<number> {
    const startMs = Date.now()
    for (; Date.now() < startMs + 300_000; await sleep(500)) {
      const [found] = await query<{ synced: number }>(
        url,
        `select count(*)::integer as synced from wallet_syncs
         where synced_at is not null and cursor_block >= head_block and network_id = any($1)`,
        [networks],
      )
      if (found!.synced >= syncs) return (Date.now() - startMs) / 1_000
    }
    const rows = await query(url, 'select * from wallet_syncs where synced_at is null')
    throw new Error(`not all wallets are synced: ${JSON.stringify(rows)}`)
  }

  /** The last failure of the sync's current activity. null: it was not retried */
  async function lastFailure(address: string, networkId: NetworkId): Promise<string | null> {
    const connection = await Connection.connect({ address: `127.0.0.1:${topology.temporalPort}` })
    const { workflow } = new Client({ connection })
    const { raw } = await workflow.getHandle(`sync:${address}:${networkId}`).describe()
    await connection.close()
    const failures = raw.pendingActivities?.map(({ lastFailure: failure }) => failure?.message)
    return failures?.find((message) => message) ?? null
  }

  /**
   * Expects the stored transfers of these wallets to equal those on the chains, none missing and none twice.
   */
  async function expectTransfers(of: readonly string[]): Promise<void> {
    const { pool, close: closePool } = openDb({ url, maxConnections: 1, applicationName: 'chaos-test' })
    for (const networkId of NETWORKS) {
      const expected = await chainTransfers(topology.rpcs[networkId].url, of)
      const stored = (await storedTransfers(pool, networkId)).filter(({ wallet }) => of.includes(wallet))
      expect(stored.length).toBeGreaterThan(0)
      expect(stored.map(sumText).sort()).toEqual(expected.map(sumText).sort())
    }
    await closePool()
  }

  /**
   * Expects the wallet tables to equal those of a run without faults. `of` must be all wallets. Stops API and
   * workers.
   */
  async function expectUndisturbed(of: readonly string[]): Promise<void> {
    await Promise.all([topology.parts.api.stop(), ...workers.map((worker) => worker.stop())])
    const oracle = await walletTables(await undisturbedRun(topology, { addresses: of, networks: NETWORKS }))
    const here = await walletTables(url)
    console.table(
      Object.entries(here).map(([table, { rows, digest }]) => ({
        table,
        rows,
        undisturbed: oracle[table]!.rows,
        same: digest === oracle[table]!.digest,
      })),
    )
    expect(here['movements']!.rows).toBeGreaterThan(50)
    expect(here).toEqual(oracle)
  }

  /** C3: the posted credits equal the sum of the credit ledger. Returns the credits. */
  async function expectBooks(): Promise<number> {
    const [books] = await query<{ posted: string; ledger: string }>(
      url,
      `select coalesce(sum(posted), 0) as posted,
         (select coalesce(sum(case kind when 'refund' then -credits else credits end), 0) from ledger_entries) as ledger
       from credit_periods`,
    )
    expect(books!.posted).toBe(books!.ledger)
    return Number(books!.ledger)
  }

  const workers = [topology.parts.worker]
  async function startSecondWorker() {
    const worker = await topology.startWorker()
    workers.push(worker)
    return worker
  }

  async function stop(): Promise<void> {
    await topology.stop()
    await toxiproxy.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    parts: topology.parts,
    apiUrl: topology.apiUrl,
    url,
    key,
    links,
    stop,
    startSecondWorker,
    ask,
    requestSync,
    untilSynced,
    lastFailure,
    expectTransfers,
    expectUndisturbed,
    expectBooks,
  }
}
