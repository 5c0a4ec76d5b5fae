import { sql } from 'kysely'
import type { Db } from '../schema.ts'

const BATCH = 20_000

/** Deletes a batch of rows replaced before an instant, the earliest for `asOf`. Returns their number. */
export async function forgetReplaced(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ gone: string }>`select past.forget(${before}, ${BATCH}) as gone`.execute(db)
  return Number(rows[0]!.gone)
}
