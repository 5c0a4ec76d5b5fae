import { setTimeout as sleep } from 'node:timers/promises'

/** Statuses after which a gateway or API takes the same call again, if its `Retry-After` says when. */
const PASSING = new Set([409, 429, 503])
/** Pause after a connection that broke. */
const LOST_S = 1

/** Why a call is sent again: the status of its answer, or null if none came. */
export interface Pause {
  status: number | null
  seconds: number
}

/**
 * A fetch that repeats the same request after the seconds that `Retry-After` names, until another answer comes or
 * the next one would begin later than `patienceS` after the first. A payment in it is repeated as it was signed,
 * so it is taken once at most. Therefore a request with a payment is also repeated when no answer comes.
 */
export function askingAgain(options: { patienceS: number; onWait: (pause: Pause) => void }): typeof fetch {
  const { patienceS, onWait } = options
  return async (input, init) => {
    const request = new Request(input, init)
    const isPaid = request.headers.has('payment-signature')
    const endsAt = performance.now() + patienceS * 1_000
    const isTooLate = (seconds: number) => performance.now() + seconds * 1_000 > endsAt
    for (;;) {
      let pause: Pause
      try {
        const response = await fetch(request.clone())
        const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
        const isPassing = PASSING.has(response.status) && Number.isInteger(seconds)
        if (!isPassing || isTooLate(seconds)) return response
        await response.body?.cancel()
        pause = { status: response.status, seconds }
      } catch (error) {
        if (!isPaid || isTooLate(LOST_S)) throw error
        pause = { status: null, seconds: LOST_S }
      }
      onWait(pause)
      await sleep(pause.seconds * 1_000)
    }
  }
}
