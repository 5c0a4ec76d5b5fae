import type { Admission, Meter } from '../../db/metering/meter.ts'
import { createBatcher } from './batcher.ts'

/** The rate limiter's decision on one request, with the state of its account. */
export interface Admitted extends Admission {
  /** False: over the rate; the request gets 429. */
  passes: boolean
}

/** Above this size the list of refused accounts is cleared; the database decides about them again. */
const MAX_REFUSED = 10_000

/**
 * Takes one request from the account's rate and reads its credits; concurrent requests share one statement. A
 * refused account stays refused in memory until its next request can pass, so a noisy one costs others
 * nothing.
 */
export function createAdmission(deps: {
  meter: Meter
  monotonicMs: () => number
}): (accountId: string) => Promise<Admitted> {
  const { meter, monotonicMs } = deps
  const refused = new Map<string, { state: Admission; untilMs: number }>()

  const admit = createBatcher<string, Admitted>({
    maxBatch: 1_000,
    maxWaiting: 5_000,
    async run(accountIds) {
      const counts = new Map<string, number>()
      for (const id of accountIds) counts.set(id, (counts.get(id) ?? 0) + 1)
      // Taken before the statement, so a refusal here never ends later than the database's own.
      const askedMs = monotonicMs()
      const states = await meter.admit(counts)
      for (const [id, state] of states)
        if (state.allowed < counts.get(id)!) refused.set(id, { state, untilMs: askedMs + state.nextInMs })
      if (refused.size > MAX_REFUSED) refused.clear()
      const passed = new Map<string, number>()
      return accountIds.map((id) => {
        const state = states.get(id)
        if (!state) throw new Error('the account of this API key or token does not exist')
        const position = (passed.get(id) ?? 0) + 1
        passed.set(id, position)
        const passes = position <= state.allowed
        // The statement returns what is left after the whole batch.
        const requestsLeft = passes ? state.requestsLeft + state.allowed - position : 0
        return { ...state, passes, requestsLeft }
      })
    },
  })

  return async (accountId) => {
    const known = refused.get(accountId)
    const leftMs = known ? known.untilMs - monotonicMs() : 0
    if (known && leftMs > 0) return { ...known.state, nextInMs: leftMs, passes: false, requestsLeft: 0 }
    refused.delete(accountId)
    return admit(accountId)
  }
}
