import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { SnapshotTarget } from './due-snapshots.ts'

const columns = sql.raw('portfolio_id, at, coin_ids, quantities, prices_usd, source, fetched_at')

/** The computed midnights up to `toMs` that have no snapshot. */
export async function missingMidnights(
  db: Db,
  { target, toMs }: { target: SnapshotTarget; toMs: number },
): Promise<number[]> {
  const { rows } = await sql<{ at: Date }>`
    select day.at from pl_days as day
    where day.book_id = ${target.bookId} and day.at <= ${new Date(toMs)} and not exists (
      select from portfolio_snapshots where portfolio_id = ${target.portfolioId} and at = day.at)
    order by day.at`.execute(db)
  return rows.map(({ at }) => at.getTime())
}

export interface SnapshotRow {
  portfolio_id: string
  at: Date
  coin_ids: string[]
  quantities: string[]
  prices_usd: (string | null)[]
  source: string
  fetched_at: Date
}

/** Writes snapshots; existing ones do not change. */
export async function insertSnapshots(db: Db, rows: readonly SnapshotRow[]): Promise<void> {
  await sql`
    insert into portfolio_snapshots (${columns})
    select ${columns} from json_populate_recordset(null::portfolio_snapshots, ${JSON.stringify(rows)})
    on conflict do nothing`.execute(db)
}
