import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { prepared, readSql, readText } from '../read-sql.ts'

/** A connected exchange account as its owner may see it. */
export interface Connection {
  id: string
  exchange: string
  name: string | null
  /** Versions of the credentials last offered, last accepted and last refused. */
  version: number
  activeVersion: number | null
  refusedVersion: number | null
  refusal: string | null
  /** When a sync last completed; null: never */
  syncedAt: Date | null
  /** Everything up to this instant is stored. */
  coveredTo: Date | null
  /** A sync was requested after the last completed one. */
  requested: boolean
  /** Whether its figures contain all stored transactions; true before there are figures. */
  isComputed: boolean
}

/** The owner gave the connection up; its rows are about to be deleted. */
const GIVEN_UP = 'exists (select from portfolios p where p.id = c.id and p.account_id is null)'

/** $1 account, $2 connection. Prepared, because planning takes far longer than reading. */
const CONNECTION = prepared(
  'exchange_connection',
  `select c.id, c.venue as "exchange", c.name, c.version, c.active_version as "activeVersion",
    c.refused_version as "refusedVersion", c.refusal, c.synced_at as "syncedAt", c.covered_to as "coveredTo",
    coalesce((
      select max(requested_at) from exchange_sync_requests where workflow_id = 'exchange:' || c.id
    ) > coalesce(c.synced_at, '-infinity'), false) as requested,
    not exists (select from uncomputed_figures where portfolio_id = c.id)
      and not exists (select from uncomputed_figures where book_id = book.id) as "isComputed"
  from exchange_connections c left join books book on book.connection_id = c.id
  where c.account_id = $1 and c.id = $2 and not ${GIVEN_UP}`,
)

/** A connection of the account; undefined when it does not exist or belongs to another account. */
export async function readConnection(
  db: ReadonlyDb,
  { accountId, connectionId }: { accountId: string; connectionId: string },
): Promise<Connection | undefined> {
  const rows = await readText<Connection>(db, { text: CONNECTION, values: [accountId, connectionId] })
  return rows[0]
}

/**
 * The existing connection of these credentials; undefined: none. While a given-up connection is still being
 * deleted, they cannot be offered again.
 */
export async function findConnection(
  db: ReadonlyDb,
  key: { accountId: string; exchange: string; fingerprint: Buffer },
): Promise<{ id: string; version: number; isActive: boolean; isGivenUp: boolean } | undefined> {
  const rows = await readSql(
    db,
    sql<{ id: string; version: number; isActive: boolean; isGivenUp: boolean }>`
      select c.id, c.version, c.active_version is not null as "isActive", ${sql.raw(GIVEN_UP)} as "isGivenUp"
      from exchange_connections c
      where c.account_id = ${key.accountId} and c.venue = ${key.exchange} and c.fingerprint = ${key.fingerprint}`,
  )
  return rows[0]
}
