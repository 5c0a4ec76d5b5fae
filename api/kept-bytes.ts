import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'
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

/** Bytes that are kept for a question, with the version of the data that they were made from. */
export interface Kept {
  version: string
  bytes: Buffer
  more?: unknown
  /** About the memory that `more` takes; absent: little. */
  moreBytes?: number
}

export interface KeptBytes {
  get: (key: string) => Kept | undefined
  set: (key: string, kept: Kept) => void
}

/** Kept until the process has opened its databases, as in tests. */
const DEFAULT_BYTES = 16 * 1024 * 1024
/** Of an entry, beside its texts and bytes. */
const OVERHEAD_BYTES = 512

const stores = new WeakMap<ReadonlyDb, KeptBytes>()

/** What is kept of a database. The bytes lie outside of the heap, where texts would take three times as much. */
export function keptBytes(db: ReadonlyDb): KeptBytes {
  const known = stores.get(db)
  if (known) return known
  keepWithin({ maxBytes: DEFAULT_BYTES, dbs: [db], registry: null })
  return stores.get(db)!
}

/** Gives the answers of some databases one budget. What was asked least recently goes first. */
export function keepWithin(options: {
  maxBytes: number
  dbs: readonly ReadonlyDb[]
  registry: Registry | null
}): void {
  const { maxBytes, dbs, registry } = options
  const entries = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes, version, moreBytes = 0 }, key) =>
      OVERHEAD_BYTES + bytes.length + version.length + key.length + moreBytes,
  })
  for (const [i, db] of dbs.entries())
    stores.set(db, {
      get: (key) => entries.get(`${i} ${key}`),
      set: (key, kept) => void entries.set(`${i} ${key}`, kept),
    })
  if (registry) measure(registry, entries, maxBytes)
}

function measure(registry: Registry, entries: LRUCache<string, Kept>, maxBytes: number): void {
  const registers = [registry]
  new Gauge({
    name: 'sluice_kept_answer_bytes',
    help: 'Bytes of the answers that this process keeps.',
    registers,
    collect() {
      this.set(entries.calculatedSize)
    },
  })
  new Gauge({
    name: 'sluice_kept_answers',
    help: 'Answers that this process keeps.',
    registers,
    collect() {
      this.set(entries.size)
    },
  })
  new Gauge({
    name: 'sluice_kept_answer_bytes_max',
    help: 'Bytes of answers that this process may keep: API_CACHE_MB.',
    registers,
  }).set(maxBytes)
}
