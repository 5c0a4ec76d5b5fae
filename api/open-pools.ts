import type pg from 'pg'
import { type Connection, openDb, openReadonlyDb } from '../db/connect.ts'
import type { ReadonlyDb } from '../db/schema.ts'
import { createFirstSyncs, type FirstSyncs } from '../db/chain/first-syncs.ts'
import { createVault, type Vault } from '../db/exchanges/vault.ts'
import { createWatching, type Watching } from '../db/events/watching.ts'
import { createMeter, type Meter } from '../db/metering/meter.ts'
import { createShares, type Shares } from '../db/portfolios/shares.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'

/** After this time a client gets 503, so that the whole response stays within a second. */
export const DEADLINE_MS = 800
/**
 * A read whose server is gone fails within a second, however long other reads may take. It fails only after
 * the requests waiting for its connection have given up: otherwise they would get a connection that nobody
 * uses.
 */
const SILENCE = { patienceMs: 400, deadlineMs: 500 }
/** An operator looks at the console when the machine is busy, and rather waits than sees nothing. */
const CONSOLE_DEADLINE_MS = 5_000
/** More connections make two cores slower, not faster. */
const READ_CONNECTIONS = 8
/** As many as one answer uses at once: who asks each minute would otherwise wait for connecting and planning anew. */
const WARM_CONNECTIONS = 3

/**
 * A replica that does not accept a connection by then counts as down. The primary then has its own deadline.
 */
const REPLICA_DEADLINE_MS = 200

export interface ApiPools {
  db: ReadonlyDb
  replica?: ReadonlyDb
  meter: Meter
  vault?: Vault
  shares: Shares
  firstSyncs: FirstSyncs
  watching: Watching
  /** Connects as role `account`. */
  account?: pg.Pool
  /** All pools by name. */
  pools: Readonly<Record<string, pg.Pool>>
  /** Reads as role `console`. */
  console?: ReadonlyDb
  close: () => Promise<void>
}

/** Opens connections as role `api` for the queries of handlers. */
export function openReads(options: {
  url: string
  applicationName: string
  connectDeadlineMs?: number
  tracer?: Tracer | null
}): Connection<ReadonlyDb> {
  return openReadonlyDb({
    connectDeadlineMs: DEADLINE_MS,
    ...options,
    maxConnections: READ_CONNECTIONS,
    warmConnections: WARM_CONNECTIONS,
    silence: SILENCE,
  })
}

/** The same on a replica, if there is one. */
export function openReplica(
  url: string | undefined,
  options: { applicationName: string; tracer: Tracer | null },
): Connection<ReadonlyDb> | undefined {
  if (url === undefined) return undefined
  return openReads({ url, ...options, connectDeadlineMs: REPLICA_DEADLINE_MS })
}

/**
 * Opens the connections of the API: reads as role `api`, and metering as role `meter`, so that reads cannot
 * delay it.
 */
export function openPools(urls: {
  databaseUrl: string
  replicaUrl?: string
  meterDatabaseUrl: string
  exchangeSealKey?: string
  sharePepper?: string
  accountDatabaseUrl?: string
  consoleDatabaseUrl?: string
  /** Default: DEADLINE_MS. */
  deadlineMs?: number
  tracer?: Tracer | null
}): ApiPools {
  const { deadlineMs = DEADLINE_MS, tracer = null } = urls
  const reads = openReads({
    url: urls.databaseUrl,
    applicationName: 'sluice-api',
    connectDeadlineMs: deadlineMs,
    tracer,
  })
  const replica = openReplica(urls.replicaUrl, { applicationName: 'sluice-api', tracer })
  const openMeter = (): Connection<unknown> =>
    openDb({
      url: urls.meterDatabaseUrl,
      maxConnections: 2,
      applicationName: 'sluice-meter',
      tracer,
      connectDeadlineMs: deadlineMs,
      answerDeadlineMs: deadlineMs,
    })
  // Sharing has its own pool, so that guessing passcodes slows only other shares.
  const [admission, charging, sharing] = [openMeter(), openMeter(), openMeter()]
  // So have first reads and readers of events, so that a flood of them slows no other call.
  const asking = openMeter()
  const account =
    urls.accountDatabaseUrl === undefined
      ? undefined
      : openDb({
          url: urls.accountDatabaseUrl,
          maxConnections: 2,
          applicationName: 'sluice-account',
          connectDeadlineMs: DEADLINE_MS,
          silence: SILENCE,
          tracer,
        })
  const operators =
    urls.consoleDatabaseUrl === undefined
      ? undefined
      : openReadonlyDb({
          url: urls.consoleDatabaseUrl,
          maxConnections: 3,
          applicationName: 'sluice-console',
          connectDeadlineMs: CONSOLE_DEADLINE_MS,
          silence: SILENCE,
        })
  return {
    db: reads.db,
    ...(replica && { replica: replica.db }),
    meter: createMeter({ admission: admission.pool, charging: charging.pool }),
    ...(urls.exchangeSealKey && {
      vault: createVault({ pool: charging.pool, publicKey: urls.exchangeSealKey }),
    }),
    shares: createShares({ pool: sharing.pool, pepper: urls.sharePepper }),
    firstSyncs: createFirstSyncs(asking.pool),
    watching: createWatching(asking.pool),
    ...(account && { account: account.pool }),
    pools: {
      reads: reads.pool,
      admission: admission.pool,
      charging: charging.pool,
      sharing: sharing.pool,
      asking: asking.pool,
      ...(replica && { replica: replica.pool }),
      ...(account && { account: account.pool }),
      ...(operators && { console: operators.pool }),
    },
    ...(operators && { console: operators.db }),
    close: async () => {
      const all = [
        reads,
        admission,
        charging,
        sharing,
        asking,
        ...(replica ? [replica] : []),
        ...(account ? [account] : []),
        ...(operators ? [operators] : []),
      ]
      await Promise.allSettled(all.map((one) => one.close()))
    },
  }
}
