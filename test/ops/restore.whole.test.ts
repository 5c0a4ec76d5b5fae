import { chmod, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { expect, onTestFinished, test } from 'vitest'
import { activeNetworks } from '../../activities/active-networks.ts'
import { createActivities } from '../../activities/index.ts'
import { postgresAccount } from '../../cli/postgres/postgres-account.ts'
import { routes } from '../../api/routes.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { startApi } from '../setup/api.ts'
import { databaseOn, type TestDatabase } from '../setup/database.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { baseBackup, postgresFolder, startCopy, startPrimary } from './clusters.ts'

// The drill of docs/backup.md: a base backup under load, the log archived, everything lost, all of it back to a moment.

const CALLERS = 4
const [synced, asked] = bitcoinWallets.map(({ name }) => name) as [string, string]
const ofWallet = (address: string) => `address=${address}&connectionId=bitcoin`

const archive = await startArchive()
const { server, database } = await startPrimary({
  archive_mode: 'on',
  archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
})

async function startArchive(): Promise<string> {
  const folder = await postgresFolder({ account: await postgresAccount() })
  await chmod(folder, 0o755)
  return folder
}

/** One that knows nothing of what another one has begun: a task queue of its own. */
async function startWorkerOn(target: TestDatabase, taskQueue: string) {
  const { deps } = await startSandboxWorld(target, { clockRuns: true })
  const heartbeat = () => Context.current().heartbeat()
  const activities = createActivities({ ...deps, heartbeat })
  await markActiveNetworks(deps.db, activeNetworks(deps.config))
  const worker = await startDispatchingWorker({ taskQueue, activities, deps })
  return { ...worker, activities }
}

/** Accounts that ask as fast as they are answered, until they are told to stop. */
async function startCallers(api: Awaited<ReturnType<typeof startApi>>) {
  const keys = await Promise.all(
    Array.from({ length: CALLERS }, () => api.newAccount({ credits: 1_000_000 })),
  )
  const answeredAt: number[] = []
  let calling = true
  const done = Promise.all(
    keys.map(async ({ key }) => {
      while (calling) {
        expect((await api.get('/fiats', key)).status).toBe(200)
        answeredAt.push(Date.now())
      }
    }),
  )
  const stop = async () => {
    calling = false
    await done
  }
  return { key: keys[0]!.key, answeredAt, stop }
}

const entries = async (url: string) =>
  (await query<{ id: string }>(url, 'select request_id as id from ledger_entries')).map(({ id }) => id)

const untrue = (url: string) =>
  query(
    url,
    `select account_id, n, posted from credit_periods p where posted <> coalesce(
       (select sum(credits) from ledger_entries l where (l.account_id, l.n) = (p.account_id, p.n)), 0)`,
  )

async function untilSynced(api: Awaited<ReturnType<typeof startApi>>, key: string, address: string) {
  const status = async () =>
    (await (await api.get(`/wallet/status?${ofWallet(address)}`, key)).json()) as object
  await expect.poll(status, { timeout: 40_000 }).toEqual({ status: 'synced' })
}

const requestSync = async (api: Awaited<ReturnType<typeof startApi>>, key: string, address: string) =>
  (await (
    await api.get(`/wallet/transactions?${ofWallet(address)}`, key, { method: 'PATCH' })
  ).json()) as object

test('A7 base backup and log to a moment: credits are what the ledger says, and the sync goes on', async () => {
  const api = await startApi({ database, routes })
  const worker = await startWorkerOn(database, 'drill-before')
  await worker.activities.refreshQuotes()
  const callers = await startCallers(api)
  await requestSync(api, callers.key, synced)
  await untilSynced(api, callers.key, synced)

  const backup = await baseBackup(server)
  // This one is asked for, and no workflow starts before the database is lost.
  await worker.stop()
  expect(await requestSync(api, callers.key, asked)).toEqual({ status: 'syncing' })
  const before = await entries(database.ownerUrl)
  const [moment] = await query<{ at: string }>(database.ownerUrl, 'select clock_timestamp()::text as at')
  await sleep(1_000)
  await callers.stop()
  const all = await entries(database.ownerUrl)
  await archived(database.ownerUrl)
  await server.stop()

  const restored = await startCopy(backup, {
    as: 'recovery',
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment!.at,
      recovery_target_action: 'promote',
    },
  })
  const target = databaseOn(restored, 'sluice')
  await expect
    .poll(() => query(target.ownerUrl, 'select pg_is_in_recovery() as recovering'), { timeout: 30_000 })
    .toEqual([{ recovering: false }])

  const kept = new Set(await entries(target.ownerUrl))
  expect(before.filter((id) => !kept.has(id))).toEqual([])
  expect(kept.size).toBeGreaterThan(100)
  expect(kept.size).toBeLessThan(all.length)
  expect([...kept].filter((id) => !all.includes(id))).toEqual([])
  expect(await untrue(target.ownerUrl)).toEqual([])

  // A minute on: what was just synced is synced again when it is asked for.
  const again = await startApi({
    ...{ database: target, routes },
    overrides: { now: () => new Date(Date.now() + 60_000) },
  })
  const next = await startWorkerOn(target, 'drill-after')
  onTestFinished(next.stop)
  await untilSynced(again, callers.key, asked)
  await untilSynced(again, callers.key, synced)
  expect(await requestSync(again, callers.key, synced)).toEqual({ status: 'syncing' })
  await untilSynced(again, callers.key, synced)
  const listed = await again.get(`/wallet/transactions?${ofWallet(asked)}`, callers.key)
  expect(((await listed.json()) as any).result.length).toBeGreaterThan(10)
  expect((await entries(target.ownerUrl)).length).toBeGreaterThan(kept.size)
  expect(await untrue(target.ownerUrl)).toEqual([])
}, 180_000)

/** Ends the current file of the log and waits until the archive has it. */
async function archived(url: string): Promise<void> {
  const [last] = await query<{ file: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as file')
  await expect.poll(() => readdir(archive), { timeout: 30_000 }).toContain(last!.file)
}
