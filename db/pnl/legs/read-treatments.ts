import type { Db, ReadonlyDb } from '../../schema.ts'
import type { LegRow } from './leg-source.ts'
import { TREATED_ROLES, type Treatment } from './roles.ts'

const TREATED: ReadonlySet<string> = new Set(TREATED_ROLES)
const NONE: ReadonlyMap<string, Treatment> = new Map()

/** Returns the operator's treatments for a book by role. Queries only when a leg has a treatable role. */
export async function readTreatments(
  db: Db | ReadonlyDb,
  { bookId, rows }: { bookId: string; rows: readonly LegRow[] },
): Promise<ReadonlyMap<string, Treatment>> {
  if (!rows.some(({ role }) => TREATED.has(role))) return NONE
  const found = await (db as Db)
    .selectFrom('role_treatments')
    .select(['role', 'treatment'])
    .where('book_id', '=', bookId)
    .execute()
  return new Map(found.map(({ role, treatment }) => [role, treatment]))
}
