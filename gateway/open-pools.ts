import type pg from 'pg'
import { DEADLINE_MS, openReads } from '../api/open-pools.ts'
import { openDb, type ReadonlyDb } from '../db/connect.ts'
import { createShares, type Shares } from '../db/portfolios/shares.ts'

/** Each payment asks a few times, for moments. */
const PAYMENT_CONNECTIONS = 6
/** A claim may wait for the one before it, and for a connection: what has become of money is worth some seconds. */
const PAYMENT_TIMEOUT_MS = 5_000

export interface GatewayPools {
  db: ReadonlyDb
  /** Role `gateway`. */
  payments: pg.Pool
  shares: Shares
  close: () => Promise<void>
}

/** The connections of the gateway: reads as role `api`; payments and shares, apart, as role `gateway`. */
export function openGatewayPools(urls: {
  databaseUrl: string
  gatewayDatabaseUrl: string
  sharePepper?: string
}): GatewayPools {
  const reads = openReads(urls.databaseUrl, 'sluice-gateway-reads')
  const open = (maxConnections: number, connectDeadlineMs: number) =>
    openDb({
      ...{ url: urls.gatewayDatabaseUrl, applicationName: 'sluice-gateway', maxConnections },
      ...{ statementTimeoutMs: PAYMENT_TIMEOUT_MS, connectDeadlineMs },
    })
  // Whoever guesses passcodes holds up nothing but other shares.
  const [payments, sharing] = [open(PAYMENT_CONNECTIONS, PAYMENT_TIMEOUT_MS), open(2, DEADLINE_MS)]
  return {
    db: reads.db,
    payments: payments.pool,
    shares: createShares({ pool: sharing.pool, pepper: urls.sharePepper }),
    close: async () => {
      await Promise.allSettled([reads.close(), payments.close(), sharing.close()])
    },
  }
}
