import { mapConcurrently } from '../map-concurrently.ts'

/** Books, folds or accounts computed at the same time. */
const PARALLEL = 2

/** Called for what fails: it stays due, and stops nothing else. */
export type OnFailure = (what: string, error: unknown) => void

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
