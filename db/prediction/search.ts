import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { countWhere, itemConditions, type KeptLists } from './list-items.ts'

/** Number of items that are ranked: words that half of all items contain say little. */
const CANDIDATES = 300

export interface Found {
  ids: number[]
  /** number of all matches */
  count: number
}

/** Ids of matching markets or events, best match first, then by volume. The last word may be a prefix. */
export async function searchItems(
  db: ReadonlyDb,
  input: {
    table: 'prediction_markets' | 'prediction_events'
    text: string
    venue?: string | undefined
    status: string
    limit: number
    kept: Pick<KeptLists, 'count'>
  },
): Promise<Found> {
  const { table, text, venue, status, limit } = input
  const words = queryOf(text)
  const all = [sql<boolean>`m.search @@ ${words}`, ...itemConditions({ venue, status })]
  const conditions = sql.join(all, sql` and `)
  // Two statements: for common words an index yields the largest items while the other statement counts.
  const [count, rows] = await Promise.all([
    input.kept.count(countWhere(table, all), 'labels'),
    readSql<{ id: number }>(
      db,
      sql`select id from (
          select m.id, m.volume_total_usd, m.search from ${sql.table(table)} m where ${conditions}
          order by m.volume_total_usd desc, m.id desc limit ${CANDIDATES}
        ) as found order by ts_rank(search, ${words}) desc, volume_total_usd desc, id limit ${limit}`,
    ),
  ])
  return { ids: rows.map(({ id }) => id), count }
}

/** All words, the last one as a prefix; text without words finds nothing. */
function queryOf(text: string): RawBuilder<unknown> {
  const last = /[\p{L}\p{N}]+$/u.exec(text)?.[0] ?? ''
  const prefix = last === '' ? '' : `${last.toLowerCase()}:*`
  return sql`(websearch_to_tsquery('english', ${text}) || (websearch_to_tsquery('english', ${text.slice(0, text.length - last.length)}) && to_tsquery('simple', ${prefix})))`
}

/** Traders on the all-time leaderboard whose name or address starts with the text, by P&L. */
export async function searchTraders(
  db: ReadonlyDb,
  { text, limit }: { text: string; limit: number },
): Promise<Found> {
  const prefix = `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const found = sql`prediction_leaders l where l.period = 'all' and l.category = ''
    and l.trader_id in (select id from prediction_traders where lower(name) like ${prefix} or address like ${prefix})`
  const [counts, rows] = await Promise.all([
    readSql<{ n: number }>(db, sql`select count(*)::int as n from ${found}`),
    readSql<{ id: number }>(
      db,
      sql`select l.trader_id as id from ${found} order by l.rank_pnl limit ${limit}`,
    ),
  ])
  return { ids: rows.map(({ id }) => id), count: counts[0]!.n }
}
