import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** The newest daily close of a coin, and a version that changes whenever a close changes; null: no closes. */
export async function readClosesVersion(
  db: ReadonlyDb,
  coinId: string,
): Promise<{ at: Date; version: string } | null> {
  const [row] = await readSql(
    db,
    sql<{ at: Date | null; version: string }>`
    select max(at) as at, concat_ws('/', count(*), max(at), max(fetched_at)) as version
    from price_days where coin_id = ${coinId}`,
  )
  return row?.at ? { at: row.at, version: row.version } : null
}
