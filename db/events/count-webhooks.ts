import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { WebhookState } from './tables.ts'

export const WEBHOOK_STATES: readonly WebhookState[] = ['new', 'active', 'backing_off', 'paused', 'disabled']

/**
 * Counts webhook endpoints by state, those that were paused because too many events waited for them, and the events
 * that are on their way to any.
 */
export async function countWebhooks(
  db: Db,
): Promise<{ endpoints: ReadonlyMap<WebhookState, number>; overfull: number; waiting: number }> {
  const { rows: states } = await sql<{ state: WebhookState; endpoints: number }>`
    select state, count(*)::int as endpoints from webhook_endpoints group by state`.execute(db)
  const { rows: overfull } = await sql<{ endpoints: number }>`
    select count(*)::int as endpoints from webhook_endpoints
    where state = 'paused' and reason like '% events wait for it'`.execute(db)
  const { rows: waiting } = await sql<{ events: number }>`
    select count(*)::int as events from deliveries where next_at is not null`.execute(db)
  return {
    endpoints: new Map(states.map(({ state, endpoints }) => [state, endpoints])),
    overfull: overfull[0]!.endpoints,
    waiting: waiting[0]!.events,
  }
}
