import type { ReadonlyDb } from '../db/schema.ts'

/** State per database, created by the first request that needs it. */
export function perDb<T>(create: (db: ReadonlyDb) => T): (db: ReadonlyDb) => T {
  const states = new WeakMap<ReadonlyDb, T>()
  return (db) => {
    const known = states.get(db)
    if (known !== undefined) return known
    const state = create(db)
    states.set(db, state)
    return state
  }
}
