import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { ingestion } from './ingestion.ts'

interface Refused {
  source: string
  area: string
  quarantined: readonly { reason: string; payload: unknown }[]
  fetchedAt: Date
}

/** Maximum rows stored per call, so that a source that sends only invalid rows cannot fill the disk. */
const MOST_ROWS = 100

/**
 * Stores quarantined rows with their reason and the activity that quarantined them. The same row with the
 * same reason is stored once a day. A row that is being retried is marked as refused.
 */
export async function quarantineRows(
  db: Db,
  { source, area, quarantined, fetchedAt }: Refused,
): Promise<void> {
  const running = ingestion.getStore()
  if (running?.isRetry && quarantined.length > 0)
    await markRefused(db, { source, area, quarantined, fetchedAt })
  const [activity, input] = running ? [running.activity, storableJson(running.input)] : [null, null]
  for (const { reason, payload } of quarantined.slice(0, MOST_ROWS)) {
    const json = storableJson(payload)
    await sql`
      insert into quarantine (source, area, reason, payload, fetched_at, activity, input)
      select ${source}, ${area}, ${reason}, ${json}::jsonb, ${fetchedAt}, ${activity}, ${input}::jsonb
      where not exists (
        select from quarantine where source = ${source} and fetched_at > ${fetchedAt}::timestamptz - interval '1 day'
          and area = ${area} and reason = ${reason} and payload = ${json}::jsonb
      )`.execute(db)
  }
}

/** Marks retried rows that failed again, with their current reason. */
async function markRefused(db: Db, { source, area, quarantined, fetchedAt }: Refused): Promise<void> {
  const [reasons, payloads] = [
    quarantined.map(({ reason }) => reason),
    quarantined.map(({ payload }) => storableJson(payload)),
  ]
  await sql`
    update quarantine q set retry_state = 'refused', reason = again.reason, fetched_at = ${fetchedAt}
    from unnest(${reasons}::text[], ${payloads}::jsonb[]) as again (reason, payload)
    where q.source = ${source} and q.area = ${area} and q.retry_state = 'asked' and q.payload = again.payload`.execute(
    db,
  )
}

/** Replaces NUL and lone surrogates, which jsonb does not accept. */
function storableJson(payload: unknown): string {
  const json = JSON.stringify(payload) ?? 'null'
  return json.replace(/\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '\\ufffd')
}

/** Marks the networks that have a source as active. The others are not served. */
export async function markActiveNetworks(db: Db, networkIds: readonly string[]): Promise<void> {
  await sql`
    update networks set active = (id = any(${networkIds}::text[]))
    where active <> (id = any(${networkIds}::text[]))`.execute(db)
}
