import { sql } from 'kysely'
import type { Db } from '../connect.ts'

const BATCH = 20_000

/** Removes some of what was replaced before an instant; from that instant on answers may still be asked for. Returns how many rows. */
export async function forgetReplaced(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ gone: string }>`select past.forget(${before}, ${BATCH}) as gone`.execute(db)
  return Number(rows[0]!.gone)
}
