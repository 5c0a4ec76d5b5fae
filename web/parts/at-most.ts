import { unavailable } from '../../api/errors.ts'

/**
 * Runs at most `count` works at once and refuses others with 503. For pages that are free: it limits how much
 * of the database they use.
 */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  return async (work) => {
    if (running >= count) throw unavailable()
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
}
