import type pg from 'pg'
import type { Severity } from './tables.ts'

/** What a receiver is to be told: an incident that fires, or one of which it was told that has ended. */
export interface Notice {
  incidentId: string
  receiver: string
  state: 'firing' | 'resolved'
  rule: string
  subject: string
  severity: Severity
  summary: string
  firedAt: Date
  resolvedAt: Date | null
}

/**
 * What the receivers are to be told now, pages first. A page that nobody has acknowledged is told again every four
 * hours. What has ended for more than a day is no news.
 */
export async function readDueNotices(
  client: pg.ClientBase,
  { receivers, at }: { receivers: readonly string[]; at: Date },
): Promise<Notice[]> {
  const { rows } = await client.query<Notice>(
    `select i.id as "incidentId", r.receiver, s.state, i.rule, i.subject, i.severity, i.summary,
       i.fired_at as "firedAt", i.resolved_at as "resolvedAt"
     from incidents as i
     cross join unnest($1::text[]) as r (receiver)
     cross join lateral (select case when i.resolved_at is null then 'firing' else 'resolved' end as state) as s
     left join incident_notices as told
       on told.incident_id = i.id and told.receiver = r.receiver and told.state = s.state
     where i.fired_at is not null and coalesce(i.resolved_at > $2::timestamptz - interval '1 day', true)
       and (told.sent_at is null or (s.state = 'firing' and i.severity = 'page'
         and told.sent_at <= $2::timestamptz - interval '4 hours'))
       and coalesce(told.next_try_at <= $2::timestamptz, true)
       and case s.state when 'firing' then i.acknowledged_at is null and not exists (
           select from incident_silences as silence where silence.until > $2::timestamptz
             and silence.rule = i.rule and coalesce(silence.subject = i.subject, true))
         else exists (select from incident_notices as before where before.incident_id = i.id
           and before.receiver = r.receiver and before.state = 'firing' and before.sent_at is not null) end
     order by i.severity, i.fired_at, i.id`,
    [receivers, at],
  )
  return rows
}

/** Tries come after 30 seconds, a minute, two and so on, up to an hour. */
export async function noteNotices(
  client: pg.ClientBase,
  { notices, failure, at }: { notices: readonly Notice[]; failure: string | null; at: Date },
): Promise<void> {
  await client.query(
    `insert into incident_notices as told (incident_id, receiver, state, sent_at, tries, next_try_at, failure)
     select (n->>'incidentId')::bigint, n->>'receiver', n->>'state', case when $2::text is null then $3::timestamptz end,
       case when $2 is null then 0 else 1 end,
       case when $2 is not null then $3::timestamptz + interval '30 seconds' end, $2
     from jsonb_array_elements($1) as n
     on conflict (incident_id, receiver, state) do update set
       sent_at = coalesce(excluded.sent_at, told.sent_at), failure = excluded.failure,
       tries = case when $2 is null then 0 else told.tries + 1 end,
       next_try_at = case when $2 is not null
         then $3::timestamptz + least(3600, 30 * 2 ^ least(told.tries, 10)) * interval '1 second' end`,
    [JSON.stringify(notices), failure, at],
  )
}
