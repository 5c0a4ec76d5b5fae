import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { FIRST_INGESTION } from '../../db/values/first-run.ts'

const REPORT_EVERY_MS = 5_000

interface WaitOptions {
  db: Db
  log: (line: string) => void
  deadlineMs: number
}

/** Waits until coins with hourly and daily history are stored. false: not by the deadline. */
export async function waitForPrices({ db, ...options }: WaitOptions): Promise<boolean> {
  return waitFor(options, async () => {
    // Counts histories, because their points number hundreds of thousands.
    const { rows } = await sql<{ coins: number; days: number; hours: number }>`
      select (select count(*)::int from coins) as coins, count(*) filter (where resolution = 'day')::int as days,
        count(*) filter (where resolution = 'hour')::int as hours
      from price_histories`.execute(db)
    const { coins, days, hours } = rows[0]!
    // Some coins have no history because they were listed today or are not traded.
    const done = coins > 0 && Math.min(days, hours) >= coins * 0.9
    return done ? null : `prices: ${coins} coins, history of ${days} (daily) and ${hours} (hourly)`
  })
}

/** Waits until every schedule has had its first run. false: not by the deadline, or Temporal is down. */
export async function waitForFirstIngestion(
  env: Record<string, string>,
  options: Omit<WaitOptions, 'db'>,
): Promise<boolean> {
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS! }).catch(() => null)
  if (!connection) return false
  const { workflow } = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE || 'default' })
  try {
    return await waitFor(options, async () => {
      const status = await workflow
        .getHandle(FIRST_INGESTION)
        .describe()
        .then((run) => run.status.name)
        // Temporal is down for a moment, or the worker has not started the workflow yet.
        .catch(() => 'not known')
      return status === 'COMPLETED' ? null : 'the first ingestion continues; see "sluice status"'
    })
  } finally {
    await connection.close()
  }
}

interface NamedWallet {
  address: string
  networkIds: readonly string[]
}

/** Syncs the wallet on these networks if needed and waits for it. false: not by the deadline. */
export async function syncWallet(
  { db, ...options }: WaitOptions,
  wallet: NamedWallet,
  request: () => Promise<unknown>,
): Promise<boolean> {
  const isSynced = (await progressOf(db, wallet)) === null
  if (!isSynced) await request()
  return waitFor(options, () => progressOf(db, wallet))
}

/** Describes the progress of the wallet; null: it is synced on all its networks. */
async function progressOf(db: Db, { address, networkIds }: NamedWallet): Promise<string | null> {
  const { rows } = await sql<{ synced: number; transactions: number }>`
    select (select count(*)::int from wallet_syncs s join wallets w on w.id = s.wallet_id
            where w.address = ${address} and s.synced_at is not null
              and s.network_id = any(${[...networkIds]}::text[])) as synced,
      (select count(*)::int from transactions) as transactions`.execute(db)
  const { synced = 0, transactions = 0 } = rows[0] ?? {}
  if (synced >= networkIds.length) return null
  return `wallet: ${synced} of ${networkIds.length} networks synced, ${transactions} transactions stored`
}

/** Calls `look` twice a second until it returns null. Other results are logged as progress. */
async function waitFor(
  { log, deadlineMs }: Omit<WaitOptions, 'db'>,
  look: () => Promise<string | null>,
): Promise<boolean> {
  let reportedMs = Date.now()
  for (;;) {
    const progress = await look()
    if (progress === null) return true
    if (Date.now() > deadlineMs) return false
    if (Date.now() - reportedMs >= REPORT_EVERY_MS) {
      log(progress)
      reportedMs = Date.now()
    }
    await sleep(500)
  }
}
