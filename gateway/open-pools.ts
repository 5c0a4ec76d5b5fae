import type pg from 'pg'
import { DEADLINE_MS, openReads, openReplica } from '../api/open-pools.ts'
import { openDb, type ReadonlyDb } from '../db/connect.ts'
import { createShares, type Shares } from '../db/portfolios/shares.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'

/** Each payment asks a few times, for moments. */
const PAYMENT_CONNECTIONS = 6
/** A claim may wait for the one before it, and for a connection: what has become of money is worth some seconds. */
const CONNECT_DEADLINE_MS = 5_000

export interface GatewayPools {
  db: ReadonlyDb
  replica?: ReadonlyDb
  /** Role `gateway`. */
  payments: pg.Pool
  shares: Shares
  /** All of them, by name. */
  pools: Readonly<Record<string, pg.Pool>>
  close: () => Promise<void>
}

/** The connections of the gateway: reads as role `api`; payments and shares, apart, as role `gateway`. */
export function openGatewayPools(urls: {
  databaseUrl: string
  replicaUrl?: string
  gatewayDatabaseUrl: string
  sharePepper?: string
  tracer?: Tracer | null
}): GatewayPools {
  const { tracer = null } = urls
  const reads = openReads({ url: urls.databaseUrl, applicationName: 'sluice-gateway-reads', tracer })
  const replica = openReplica(urls.replicaUrl, { applicationName: 'sluice-gateway-reads', tracer })
  const open = (maxConnections: number, connectDeadlineMs: number) =>
    openDb({
      url: urls.gatewayDatabaseUrl,
      applicationName: 'sluice-gateway',
      maxConnections,
      connectDeadlineMs,
      tracer,
    })
  // Whoever guesses passcodes holds up nothing but other shares.
  const [payments, sharing] = [open(PAYMENT_CONNECTIONS, CONNECT_DEADLINE_MS), open(2, DEADLINE_MS)]
  return {
    db: reads.db,
    ...(replica && { replica: replica.db }),
    payments: payments.pool,
    shares: createShares({ pool: sharing.pool, pepper: urls.sharePepper }),
    pools: {
      reads: reads.pool,
      payments: payments.pool,
      sharing: sharing.pool,
      ...(replica && { replica: replica.pool }),
    },
    close: async () => {
      await Promise.allSettled([reads.close(), payments.close(), sharing.close(), replica?.close()])
    },
  }
}
