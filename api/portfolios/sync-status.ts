import type { ReadonlyDb } from '../../db/schema.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { readUncomputed } from '../../db/portfolios/read-uncomputed.ts'

/**
 * Ids of the portfolios whose requested data is stored and in all figures. A manual portfolio needs no sync.
 */
export async function syncedIds(db: ReadonlyDb, portfolios: readonly Portfolio[]): Promise<Set<string>> {
  const stored = portfolios
    .filter(({ kind, syncedAt, pending }) => (kind === 'manual' || syncedAt !== null) && !pending)
    .map(({ id }) => id)
  if (stored.length === 0) return new Set()
  const uncomputed = await readUncomputed(db, stored)
  return new Set(stored.filter((id) => !uncomputed.has(id)))
}
