import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../explain-error.ts'

export interface Patience {
  deadlineMs: number
  log: (line: string) => void
}

/** An answer that asking again would not change. */
export class Refused extends Error {}

export const PAUSE_MS = 500

/**
 * Runs a step of the demo, again while it fails: parts may be away for a moment. Undefined: not by the deadline, and one
 * sentence says what is missing. Never rejects: what is shown of a demo decides nothing about what runs.
 */
export async function attempt<T>(
  missing: string,
  { deadlineMs, log }: Patience,
  step: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof Refused) && Date.now() < deadlineMs) {
        await sleep(PAUSE_MS)
        continue
      }
      log(`warning: ${missing} (${reasonOf(error)}). Everything else runs; the next start tries it again.`)
      return undefined
    }
  }
}
