import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface PendingMessage {
  id: string
  workflow: string
  workflow_id: string
  input: unknown
  /** null: a workflow that already runs fulfils the command. */
  signal: string | null
  traceparent: string | null
  /** null: no account ordered it. */
  account_id: string | null
}

/** Locks and returns the oldest unsent messages. Skips those that another worker has locked. */
export async function takePending(db: Db, { limit }: { limit: number }): Promise<PendingMessage[]> {
  const { rows } = await sql<PendingMessage>`
    select id, workflow, workflow_id, input, signal, traceparent, account_id from outbox
    where dispatched_at is null order by id limit ${limit} for update skip locked`.execute(db)
  return rows
}

export async function markDispatched(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update outbox set dispatched_at = now() where id = any(${ids}::bigint[])`.execute(db)
}
