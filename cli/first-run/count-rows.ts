import { sql } from 'kysely'
import { AREAS } from '../../activities/all-areas.ts'
import type { Db } from '../../db/schema.ts'

/** Counts the rows of each table, by area: "coins 200, price_days 140,000". */
export async function countRows(db: Db): Promise<{ area: string; tables: string }[]> {
  const counts: { area: string; tables: string }[] = []
  for (const area of AREAS) {
    const tables: string[] = []
    for (const table of area.tables) {
      const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db)
      tables.push(`${table} ${Number(rows[0]?.n).toLocaleString('en-US')}`)
    }
    counts.push({ area: area.name, tables: tables.join(', ') })
  }
  return counts
}
