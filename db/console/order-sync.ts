import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

/** A wallet on a network, or an exchange account. */
export type SyncSubject = { address: string; networkId: string } | { connectionId: string }

/** Asks for a sync and returns when. If it runs, no second one starts. */
export async function orderSync(
  db: Db | ReadonlyDb,
  { subject, operator }: { subject: SyncSubject; operator: string },
): Promise<Date> {
  const { address, networkId, connectionId } = {
    address: null,
    networkId: null,
    connectionId: null,
    ...subject,
  }
  const [row] = await readSql(
    db,
    sql<{ since: Date }>`
      select order_sync(${address}::text, ${networkId}::text, ${connectionId}::uuid, ${operator}) as since`,
  )
  return row!.since
}

/** What a portfolio follows. undefined: there is no such portfolio. */
export async function readSyncSubject(
  db: Db | ReadonlyDb,
  portfolio: string,
): Promise<
  { kind: string; address: string | null; networkId: string | null; venue: string | null } | undefined
> {
  const [row] = await readSql(
    db,
    sql<{ kind: string; address: string | null; networkId: string | null; venue: string | null }>`
      select kind, address, network_id as "networkId", venue from sync_subject(${portfolio}::uuid)`,
  )
  return row
}
