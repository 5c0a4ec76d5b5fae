import { AsyncLocalStorage } from 'node:async_hooks'
import { isUnavailable, unavailable } from '../errors.ts'

interface Waiter<In, Out> {
  item: In
  resolve: (value: Out) => void
  reject: (error: unknown) => void
  /** Runs work in the asynchronous context of the caller, to which its trace belongs. Only of the first of a batch. */
  inContext?: <T>(work: () => T) => T
}

/**
 * Group commit: one batch is in flight, and items that arrive meanwhile wait for the next. Results keep the
 * order of the items. Above `maxWaiting` the queue returns 503 at once. A batch belongs to the trace of its
 * first item.
 */
export function createBatcher<In, Out>(options: {
  run: (items: In[]) => Promise<Out[]>
  maxBatch: number
  maxWaiting: number
}): (item: In) => Promise<Out> {
  const { run, maxBatch, maxWaiting } = options
  let waiting: Waiter<In, Out>[] = []
  let running = false

  async function drain(): Promise<void> {
    running = true
    // Puts all requests that this turn of the event loop reads into the first batch.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      try {
        const results = await batch[0]!.inContext!(() => run(batch.map(({ item }) => item)))
        batch.forEach(({ resolve }, index) => resolve(results[index]!))
      } catch (error) {
        for (const { reject } of batch) reject(error)
        if (!isUnavailable(error)) continue
        // The waiting items would fail in the same way, one deadline later.
        for (const { reject } of waiting) reject(error)
        waiting = []
      }
    }
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(unavailable())
      // Batches are cut from the front, so each begins at such a place. A snapshot for each item took 5 % of the time.
      const isFirst = waiting.length % maxBatch === 0
      waiting.push({ item, resolve, reject, ...(isFirst && { inContext: AsyncLocalStorage.snapshot() }) })
      if (!running) void drain()
    })
}
