import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { WebhookState } from './tables.ts'

interface ListedWebhook {
  id: string
  account: string
  url: string
  state: WebhookState
  failures: number
  waiting: number
  reason: string | null
}

/** The webhook endpoints of all accounts, those that do not work first. */
export async function listWebhooks(db: Db): Promise<ListedWebhook[]> {
  const { rows } = await sql<ListedWebhook>`
    select e.id, a.name as account, e.url, e.state, e.failures,
      (select count(*)::integer from deliveries d where d.endpoint_id = e.id and d.next_at is not null) as waiting,
      e.reason
    from webhook_endpoints e join accounts a on a.id = e.account_id
    order by e.state = 'active', a.name, e.created_at`.execute(db)
  return rows
}
