import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../explain-error.ts'

export interface Patience {
  deadlineMs: number
  log: (line: string) => void
}

/** A final answer: asking again would not change it. */
export class Refused extends Error {}

export const PAUSE_MS = 500

/**
 * Runs a step of the demo and retries it until the deadline, because parts may be down for a moment. Then
 * logs what is missing and returns undefined. Never rejects: a failed demo must not stop the installation.
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
      log(`warning: ${missing} (${reasonOf(error)}). Everything else runs; the next start tries again.`)
      return undefined
    }
  }
}
