import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../../api/errors.ts'

/** A part of a page that takes longer is left out, and read again with the next page. */
const PATIENCE_MS = 3_000

/** undefined: it did not answer in time. */
export async function inTime<Part>(read: Promise<Part>): Promise<Part | undefined> {
  const ending = new AbortController()
  const late = sleep(PATIENCE_MS, undefined, { signal: ending.signal }).catch(() => undefined)
  try {
    return await Promise.race([read, late])
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  } finally {
    ending.abort()
    // What comes later is told to nobody.
    read.catch(() => {})
  }
}
