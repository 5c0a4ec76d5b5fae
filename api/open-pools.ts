import type pg from 'pg'
import { type Connection, openDb, openReadonlyDb, type ReadonlyDb } from '../db/connect.ts'
import { createVault, type Vault } from '../db/exchanges/vault.ts'
import { createMeter, type Meter } from '../db/metering/meter.ts'
import { createShares, type Shares } from '../db/portfolios/shares.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'

/** After this a client is told that the database is out of reach; with what else happens it stays within a second. */
export const DEADLINE_MS = 800
/**
 * A read whose server is gone fails within a second, however long others may take. Not before those who wait for its
 * connection have given up: they would be given a new one, to nobody.
 */
const SILENCE = { patienceMs: 400, deadlineMs: 500 }
/** More connections than this make two cores slower, not faster. */
const READ_CONNECTIONS = 8

/** A replica that does not let us in by then is away: there is the primary, which has its own time. */
const REPLICA_DEADLINE_MS = 200

export interface ApiPools {
  db: ReadonlyDb
  replica?: ReadonlyDb
  meter: Meter
  vault?: Vault
  shares: Shares
  /** Connects as role `account`. */
  account?: pg.Pool
  /** All of them, by name. */
  pools: Readonly<Record<string, pg.Pool>>
  /** Reads as role `console`. */
  console?: ReadonlyDb
  close: () => Promise<void>
}

/** Connections of role `api`, for the queries of handlers. */
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
    silence: SILENCE,
  })
}

/** The same on a replica, where there is one. */
export function openReplica(
  url: string | undefined,
  options: { applicationName: string; tracer: Tracer | null },
): Connection<ReadonlyDb> | undefined {
  if (url === undefined) return undefined
  return openReads({ url, ...options, connectDeadlineMs: REPLICA_DEADLINE_MS })
}

/** The connections of the API: reads as role `api`; metering as role `meter`, where no read can hold it up. */
export function openPools(urls: {
  databaseUrl: string
  replicaUrl?: string
  meterDatabaseUrl: string
  exchangeSealKey?: string
  sharePepper?: string
  accountDatabaseUrl?: string
  consoleDatabaseUrl?: string
  /** After which a client is told, if another than DEADLINE_MS. */
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
  // Whoever guesses passcodes holds up nothing but other shares.
  const [admission, charging, sharing] = [openMeter(), openMeter(), openMeter()]
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
          maxConnections: 2,
          applicationName: 'sluice-console',
          connectDeadlineMs: DEADLINE_MS,
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
    ...(account && { account: account.pool }),
    pools: {
      reads: reads.pool,
      admission: admission.pool,
      charging: charging.pool,
      sharing: sharing.pool,
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
        ...(replica ? [replica] : []),
        ...(account ? [account] : []),
        ...(operators ? [operators] : []),
      ]
      await Promise.allSettled(all.map((one) => one.close()))
    },
  }
}
