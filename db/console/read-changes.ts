import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

/** A change in the answers of a source that is an alarm. */
export interface SourceChange {
  source: string
  /** which question of the source: its path with * for ids */
  operation: string
  /** `data[].quotes.*.price` */
  field: string
  change: 'appeared' | 'vanished' | 'type'
  /** types; null: the field was or is not there */
  was: string | null
  is: string | null
  /** that had it, of those that were looked at */
  answers: number
  since: Date
  lastAt: Date
}

/** Reads the changes of all sources or of one. */
export const readSourceChanges = (
  db: Db | ReadonlyDb,
  source: string | null = null,
): Promise<SourceChange[]> =>
  readSql(
    db,
    sql<SourceChange>`
      select source, operation, field, change, was, "is", answers, since, last_at as "lastAt"
      from operations.source_changes where ${source}::text is null or source = ${source}
      order by source, operation, since, field`,
  )

/** What happened to the field, in words: `string is now number`. */
export function changeInWords({ change, was, is }: Pick<SourceChange, 'change' | 'was' | 'is'>): string {
  if (change === 'appeared') return `appeared (${is})`
  return change === 'vanished' ? `vanished (was ${was})` : `was ${was}, is ${is}`
}
