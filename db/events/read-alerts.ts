import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'
import type { AlertRule } from './alert-write.ts'
import type { AlertType } from './event-types.ts'

export interface Alert {
  id: string
  type: AlertType
  subject: string
  rule: AlertRule
  endpointId: string | null
  armed: boolean
  firedAt: Date | null
  createdAt: Date
}

/** The alerts of an account, the oldest first. */
export async function readAlerts(
  db: ReadonlyDb,
  { accountId, offset, limit }: { accountId: string; offset: number; limit: number },
): Promise<Alert[]> {
  return readSql(
    db,
    sql<Alert>`
      select id, kind as type, subject, rule, endpoint_id as "endpointId", armed, fired_at as "firedAt",
        created_at as "createdAt"
      from alert_rules where account_id = ${accountId} order by created_at, id limit ${limit} offset ${offset}`,
  )
}

export async function countAlerts(db: ReadonlyDb, accountId: string): Promise<number> {
  const [row] = await readSql(
    db,
    sql<{ alerts: number }>`
      select count(*)::integer as alerts from alert_rules where account_id = ${accountId}`,
  )
  return row!.alerts
}

/** Those of the ids that are alerts of the account. */
export async function knownAlerts(
  db: ReadonlyDb,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const rows = await readSql(
    db,
    sql<{ id: string }>`
      select id from alert_rules where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Whether the value of a rule is where it fires. */
export async function isPast(
  db: ReadonlyDb,
  { type, subject, rule }: Pick<Alert, 'type' | 'subject' | 'rule'>,
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ past: boolean }>`
      select coalesce(alert_side_now(${type}, ${subject}, ${JSON.stringify(rule)}::jsonb) > 0, false) as past`,
  )
  return row!.past
}
