import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Accounts at an exchange, as far as the requests for them depend on it. */
export interface PlanAccounts {
  exchange: string
  accounts: number
  /** Lists that each sync of them reads. A market without fills is read once a day. */
  lists: number
}

/** Counts the accounts of each exchange that have accepted credentials. */
export async function countAccounts(db: Db): Promise<PlanAccounts[]> {
  const { rows } = await sql<PlanAccounts>`
    select known.venue as exchange, count(*)::int as accounts, coalesce(sum(read.lists), 0)::int as lists
    from exchange_connections as known
    cross join lateral (
      select count(*)::int as lists from exchange_cursors as one
      where one.connection_id = known.id and (one.symbol = '' or one.rows > 0)
    ) as read
    where known.active_version is not null group by known.venue order by known.venue`.execute(db)
  return rows
}
