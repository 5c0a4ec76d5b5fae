import { type SourceOrder, readSourceOrders } from '../db/sources/orders.ts'
import type { Db } from '../db/schema.ts'

/** What operators ordered of sources, as it was at most some seconds ago. */
export interface SourceOrders {
  /** Resolves when the orders are known. */
  ready: () => Promise<void>
  /** undefined: nothing is ordered */
  of: (source: string) => SourceOrder | undefined
}

const FRESH_MS = 3_000

/** Reads the orders again when somebody asks for them and they are older than `freshMs`. */
export function createSourceOrders({ db, freshMs = FRESH_MS }: { db: Db; freshMs?: number }): SourceOrders {
  let orders: ReadonlyMap<string, SourceOrder> = new Map()
  let readAtMs = -Infinity
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    orders = await readSourceOrders(db)
    readAtMs = performance.now()
  }

  async function ready(): Promise<void> {
    if (performance.now() - readAtMs < freshMs) return
    reading ??= read().finally(() => (reading = null))
    await reading
  }

  return {
    ready,
    of(source) {
      // Nodes are chosen without a wait. What cannot be read stays as it was, and is read again with the next question.
      ready().catch(() => {})
      return orders.get(source)
    },
  }
}
