import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'

/** A connected account at an exchange, as its owner may see it. */
export interface Connection {
  id: string
  exchange: string
  name: string | null
  /** Of the credentials offered last, of those accepted and of those refused last. */
  version: number
  activeVersion: number | null
  refusedVersion: number | null
  refusal: string | null
  /** When a sync was last complete; null: never yet. */
  syncedAt: Date | null
  /** Everything the exchange had until then is stored. */
  coveredTo: Date | null
  /** A sync was asked for since the last one. */
  requested: boolean
}

const CONNECTION = sql`
  select c.id, c.venue as "exchange", c.name, c.version, c.active_version as "activeVersion",
    c.refused_version as "refusedVersion", c.refusal, c.synced_at as "syncedAt", c.covered_to as "coveredTo",
    coalesce((
      select max(requested_at) from exchange_sync_requests where workflow_id = 'exchange:' || c.id
    ) > coalesce(c.synced_at, '-infinity'), false) as requested
  from exchange_connections c`

/** Its owner gave it up; what is left of it is about to go. */
const GIVEN_UP = sql`exists (select from portfolios p where p.id = c.id and p.account_id is null)`

/** A connection of the account; undefined for one of another account as for one that does not exist. */
export async function readConnection(
  db: ReadonlyDb,
  key: { accountId: string; connectionId: string },
): Promise<Connection | undefined> {
  const rows = await readSql(
    db,
    sql<Connection>`
      ${CONNECTION} where c.id = ${key.connectionId} and c.account_id = ${key.accountId} and not ${GIVEN_UP}`,
  )
  return rows[0]
}

/**
 * The connection that these credentials are offered for again; undefined when they are new. While one that was given up
 * is still about to go, they cannot be offered.
 */
export async function findConnection(
  db: ReadonlyDb,
  key: { accountId: string; exchange: string; fingerprint: Buffer },
): Promise<{ id: string; version: number; isActive: boolean; isGivenUp: boolean } | undefined> {
  const rows = await readSql(
    db,
    sql<{ id: string; version: number; isActive: boolean; isGivenUp: boolean }>`
      select c.id, c.version, c.active_version is not null as "isActive", ${GIVEN_UP} as "isGivenUp"
      from exchange_connections c
      where c.account_id = ${key.accountId} and c.venue = ${key.exchange} and c.fingerprint = ${key.fingerprint}`,
  )
  return rows[0]
}
