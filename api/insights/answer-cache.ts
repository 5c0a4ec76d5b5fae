import type { ReadonlyDb } from '../../db/schema.ts'
import { perDb } from '../per-db.ts'

interface Wanted<Body> {
  key: string
  /** Changes whenever the data changes. */
  version: string
  make: () => Promise<Body>
}

/**
 * Caches the JSON of large responses that change about once a day. Makes it again when the version of the
 * data changes. Measured on the chart of 3,200 days: 1 ms instead of 9 ms.
 */
export function createAnswerCache<Body>() {
  const answers = perDb(() => new Map<string, { version: string; json: string }>())
  return async (db: ReadonlyDb, { key, version, make }: Wanted<Body>): Promise<{ json: string }> => {
    const known = answers(db).get(key)
    if (known?.version === version) return { json: known.json }
    const json = JSON.stringify(await make())
    answers(db).set(key, { version, json })
    return { json }
  }
}
