import type pg from 'pg'
import { DEADLINE_MS, openReads, openReplica } from '../api/open-pools.ts'
import { openDb } from '../db/connect.ts'
import type { ReadonlyDb } from '../db/schema.ts'
import { createFirstSyncs, type FirstSyncs } from '../db/chain/first-syncs.ts'
import { createShares, type Shares } from '../db/portfolios/shares.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'

/** A payment makes a few short queries. */
const PAYMENT_CONNECTIONS = 6
/**
 * A claim may wait for the claim before it and for a connection: the fate of a payment is worth some seconds.
 */
const CONNECT_DEADLINE_MS = 5_000

export interface GatewayPools {
  db: ReadonlyDb
  replica?: ReadonlyDb
  /** Connects as role `gateway`. */
  payments: pg.Pool
  shares: Shares
  firstSyncs: FirstSyncs
  /** All pools by name. */
  pools: Readonly<Record<string, pg.Pool>>
  close: () => Promise<void>
}

/** Opens the pools: reads as role `api`; payments and shares, in separate pools, as role `gateway`. */
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
  // A separate pool, so that passcode guessing delays only other shares.
  const [payments, sharing] = [open(PAYMENT_CONNECTIONS, CONNECT_DEADLINE_MS), open(2, DEADLINE_MS)]
  // So are first reads of wallets.
  const asking = open(1, DEADLINE_MS)
  return {
    db: reads.db,
    ...(replica && { replica: replica.db }),
    payments: payments.pool,
    shares: createShares({ pool: sharing.pool, pepper: urls.sharePepper }),
    firstSyncs: createFirstSyncs(asking.pool),
    pools: {
      reads: reads.pool,
      payments: payments.pool,
      sharing: sharing.pool,
      asking: asking.pool,
      ...(replica && { replica: replica.pool }),
    },
    close: async () => {
      const all = [reads, payments, sharing, asking, ...(replica ? [replica] : [])]
      await Promise.allSettled(all.map((one) => one.close()))
    },
  }
}
