/**
 * Does work on many items at once. When it fails, does it on each half, down to single items, so that an item
 * that fails stops no other. `work` must undo what it did before it fails.
 */
export async function inHalves<T>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<void>,
  onFailure: (item: T, error: unknown) => unknown,
  /** Whether another half may succeed. Other errors are thrown at once. */
  isOfItems: (error: unknown) => boolean = () => true,
): Promise<void> {
  if (items.length === 0) return
  try {
    await work(items)
  } catch (error) {
    if (!isOfItems(error)) throw error
    if (items.length === 1) return void (await onFailure(items[0]!, error))
    const middle = items.length >> 1
    await inHalves(items.slice(0, middle), work, onFailure, isOfItems)
    await inHalves(items.slice(middle), work, onFailure, isOfItems)
  }
}

/**
 * Runs `work` over the items, at most `limit` at a time. Waits for all started runs, then throws the first
 * error.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let failed = false
  const lane = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++
      try {
        results[index] = await work(items[index]!)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: limit }, lane))
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}

/** Called for what fails: it stays due, and stops nothing else. */
export type OnFailure = (what: string, error: unknown) => void

/** Computations at the same time. */
const PARALLEL = 2

/** Does some work on each item, a few at a time, also after one has failed. Returns how many did not. */
export async function attemptAll<T>(
  items: readonly T[],
  {
    nameOf,
    work,
    onFailure,
  }: {
    nameOf: (item: T) => string
    work: (item: T) => Promise<unknown>
    onFailure: OnFailure
  },
): Promise<number> {
  let done = 0
  await mapConcurrently(items, PARALLEL, async (item) => {
    try {
      await work(item)
      done++
    } catch (error) {
      onFailure(nameOf(item), error)
    }
  })
  return done
}
