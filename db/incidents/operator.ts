import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { Severity } from './tables.ts'

// What operators read and decide of incidents, as the owner.

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
export async function readOpenIncidents(db: Db): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select id::text, rule, subject, severity, summary, fired_at as "firedAt", acknowledged_by as "acknowledgedBy",
      (select max(until) from incident_silences s
       where s.rule = i.rule and coalesce(s.subject = i.subject, true) and until > now()) as "silencedUntil",
      array(select receiver from incident_notices n where n.incident_id = i.id and n.state = 'firing'
        and n.sent_at is not null order by 1) as told,
      array(select receiver || ': ' || failure from incident_notices n where n.incident_id = i.id
        and n.failure is not null order by 1) as failures
    from incidents i where fired_at is not null and resolved_at is null order by severity, fired_at, id`.execute(
    db,
  )
  return rows
}

/** false: no such incident fires now. */
export async function acknowledge(db: Db, { id, by }: { id: string; by: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update incidents set acknowledged_at = now(), acknowledged_by = ${by}
    where id = ${id} and fired_at is not null and resolved_at is null`.execute(db)
  return numAffectedRows === 1n
}

export interface Silence {
  id: string
  rule: string
  subject: string | null
  until: Date
  reason: string
  by: string
}

export async function silence(db: Db, input: Omit<Silence, 'id'>): Promise<string> {
  const { rule, subject, until, reason, by } = input
  const { rows } = await sql<{ id: string }>`
    insert into incident_silences (rule, subject, until, reason, created_by)
    values (${rule}, ${subject}, ${until}, ${reason}, ${by}) returning id::text`.execute(db)
  return rows[0]!.id
}

export async function readSilences(db: Db): Promise<Silence[]> {
  const { rows } = await sql<Silence>`
    select id::text, rule, subject, until, reason, created_by as by from incident_silences
    where until > now() order by until`.execute(db)
  return rows
}

/** Ends a silence now. false: there is none that lasts. */
export async function endSilence(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update incident_silences set until = now() where id = ${id} and until > now()`.execute(db)
  return numAffectedRows === 1n
}
