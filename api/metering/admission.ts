import type { Admission, Meter } from '../../db/metering/meter.ts'
import { createBatcher } from './batcher.ts'

/** What the rate limiter says of one request, with the state of its account. */
export interface Admitted extends Admission {
  /** False: over the rate, 429. */
  passes: boolean
}

/** Takes one request from the account's rate and looks at its credits, all requests of a moment in one statement. */
export function createAdmission(meter: Meter): (accountId: string) => Promise<Admitted> {
  return createBatcher<string, Admitted>({
    maxBatch: 1_000,
    maxWaiting: 5_000,
    async run(accountIds) {
      const counts = new Map<string, number>()
      for (const id of accountIds) counts.set(id, (counts.get(id) ?? 0) + 1)
      const states = await meter.admit(counts)
      const passed = new Map<string, number>()
      return accountIds.map((id) => {
        const state = states.get(id)
        if (!state) throw new Error('the account of a key does not exist')
        const position = (passed.get(id) ?? 0) + 1
        passed.set(id, position)
        const passes = position <= state.allowed
        // The statement counts what is left after all of them.
        const requestsLeft = passes ? state.requestsLeft + state.allowed - position : 0
        return { ...state, passes, requestsLeft }
      })
    },
  })
}
