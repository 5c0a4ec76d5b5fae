import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { AlertWrite } from './alert-write.ts'
import type { AlertType } from './event-types.ts'

interface ListedAlert {
  id: string
  account: string
  type: AlertType
  subject: string
  rule: unknown
  armed: boolean
  firedAt: Date | null
  endpointId: string | null
}

/** The alerts of an account, or (null) of all, the oldest first. */
export async function listAlerts(
  db: Db,
  { accountId }: { accountId: string | null },
): Promise<ListedAlert[]> {
  const { rows } = await sql<ListedAlert>`
    select r.id, a.name as account, r.kind as type, r.subject, r.rule, r.armed, r.fired_at as "firedAt",
      r.endpoint_id as "endpointId"
    from alert_rules r join accounts a on a.id = r.account_id
    where ${accountId}::uuid is null or r.account_id = ${accountId}
    order by a.name, r.created_at, r.id`.execute(db)
  return rows
}

/** Applies a write that was decided for an account, without a charge. */
export async function applyAlertWrite(
  db: Db,
  { accountId, write }: { accountId: string; write: AlertWrite },
): Promise<void> {
  await sql`select apply_alert_writes(${accountId}, ${JSON.stringify([write])}::jsonb)`.execute(db)
}

/** Whether there was such an alert. */
export async function deleteAlert(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('alert_rules').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
