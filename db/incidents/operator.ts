import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'
import type { Severity } from './tables.ts'

// What operators read and decide of incidents, as role `console` or as the owner.

export interface OpenIncident {
  id: string
  rule: string
  subject: string
  severity: Severity
  summary: string
  firedAt: Date
  acknowledgedBy: string | null
  /** null: it is not silenced */
  silencedUntil: Date | null
  /** Receivers that were told, and why the others were not. */
  told: string[]
  failures: string[]
}

/** Incidents that fire now, pages first. */
export const readOpenIncidents = (db: Db | ReadonlyDb): Promise<OpenIncident[]> =>
  readSql(
    db,
    sql<OpenIncident>`
      select id::text, rule, subject, severity, summary, fired_at as "firedAt", acknowledged_by as "acknowledgedBy",
        silenced_until as "silencedUntil", told, failures
      from operations.incidents order by severity, fired_at, id`,
  )

export interface Silence {
  id: string
  rule: string
  /** null: all of the rule */
  subject: string | null
  until: Date
  reason: string
  by: string
}

export const readSilences = (db: Db | ReadonlyDb): Promise<Silence[]> =>
  readSql(
    db,
    sql<Silence>`
      select id::text, rule, subject, until, reason, created_by as by from operations.silences order by until, id`,
  )

/** false: it does not fire, or somebody has acknowledged it. */
export async function acknowledge(
  db: Db | ReadonlyDb,
  { id, operator }: { id: string; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select acknowledge_incident(${id}::bigint, ${operator}) as done`,
  )
  return row!.done
}

/** Returns the id of the silence. */
export async function silence(
  db: Db | ReadonlyDb,
  input: { rule: string; subject: string | null; hours: number; reason: string; operator: string },
): Promise<string> {
  const { rule, subject, hours, reason, operator } = input
  const [row] = await readSql(
    db,
    sql<{ id: string }>`
      select silence_incidents(${rule}, ${subject}::text, ${hours}::int, ${reason}, ${operator})::text as id`,
  )
  return row!.id
}

/** Ends a silence now. false: there is none that lasts. */
export async function endSilence(
  db: Db | ReadonlyDb,
  { id, operator }: { id: string; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select end_silence(${id}::bigint, ${operator}) as done`,
  )
  return row!.done
}
