import type { RawBuilder } from 'kysely'
import type { ReadonlyDb } from '../../db/connect.ts'
import type { Count } from '../../db/prediction/list-items.ts'
import { readPredictionVersion } from '../../db/prediction/read-as-of.ts'
import { queryKey, readSql } from '../../db/read-sql.ts'
import { perDb } from '../per-db.ts'

const MAX_KEPT = 1_000

const kept = perDb(() => ({ version: '', counts: new Map<string, number>() }))

/**
 * Counts once for each state of the data: a word that most markets have is counted in 30 ms, and all pages of a list, and
 * whoever else filters so, need the same number.
 */
export function keptCount(db: ReadonlyDb): Count {
  return async (query: RawBuilder<{ items: number }>) => {
    const version = await readPredictionVersion(db)
    const state = kept(db)
    if (state.version !== version) Object.assign(state, { version, counts: new Map() })
    const { counts } = state
    const key = queryKey(db, query)
    const known = counts.get(key)
    if (known !== undefined) return known
    const [row] = await readSql(db, query)
    if (counts.size >= MAX_KEPT) counts.delete(counts.keys().next().value!)
    counts.set(key, row!.items)
    return row!.items
  }
}
