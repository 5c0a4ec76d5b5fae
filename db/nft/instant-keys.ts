import { sql } from 'kysely'
import type { Transaction } from '../transact.ts'
import type { InstantKey } from './tables.ts'

/** The key of a source, locked until the transaction ends, so that only one worker makes another. null: none yet */
export async function lockInstantKey({ db }: Transaction, source: string): Promise<InstantKey | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended('instant key ' || ${source}, 0))`.execute(db)
  const { rows } = await sql<InstantKey>`
    select source, key, made_at, expires_at from instant_keys where source = ${source}`.execute(db)
  return rows[0] ?? null
}

export async function storeInstantKey(
  { db }: Transaction,
  { source, key, madeAt, expiresAt }: { source: string; key: string; madeAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into instant_keys (source, key, made_at, expires_at) values (${source}, ${key}, ${madeAt}, ${expiresAt})
    on conflict (source) do update set key = excluded.key, made_at = excluded.made_at, expires_at = excluded.expires_at`.execute(
    db,
  )
}
