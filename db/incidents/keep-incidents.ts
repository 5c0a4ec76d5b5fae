import type pg from 'pg'
import type { Severity } from './tables.ts'

/** What a rule found wrong with a subject. */
export interface Finding {
  rule: string
  /** such as a source; empty: the rule has one subject only */
  subject: string
  severity: Severity
  summary: string
  /** An incident fires when it has lasted for so long. */
  forSeconds: number
}

/** One worker looks at a time. false: another one does. */
export async function lockIncidents(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('incidents')) as mine`,
  )
  return rows[0]!.mine
}

/** Brings the open incidents in line with what a look at `at` found. */
export async function keepIncidents(
  client: pg.ClientBase,
  { findings, at }: { findings: readonly Finding[]; at: Date },
): Promise<void> {
  const found = JSON.stringify(findings)
  await client.query(
    `insert into incidents (rule, subject, severity, summary, since)
     select rule, subject, severity, summary, $2
     from jsonb_to_recordset($1) as found (rule text, subject text, severity text, summary text)
     on conflict (rule, subject) where resolved_at is null
     do update set severity = excluded.severity, summary = excluded.summary`,
    [found, at],
  )
  await client.query(
    `update incidents as i set fired_at = $2
     from jsonb_to_recordset($1) as found (rule text, subject text, "forSeconds" int)
     where i.rule = found.rule and i.subject = found.subject and i.resolved_at is null and i.fired_at is null
       and i.since <= $2::timestamptz - found."forSeconds" * interval '1 second'`,
    [found, at],
  )
  const ended = `resolved_at is null and not exists (
    select from jsonb_to_recordset($1) as found (rule text, subject text)
    where found.rule = incidents.rule and found.subject = incidents.subject)`
  await client.query(`update incidents set resolved_at = $2 where fired_at is not null and ${ended}`, [
    found,
    at,
  ])
  await client.query(`delete from incidents where fired_at is null and ${ended}`, [found])
  await client.query(
    `with old as (delete from incidents where resolved_at < $1::timestamptz - interval '90 days')
     delete from incident_silences where until < $1::timestamptz - interval '90 days'`,
    [at],
  )
}
