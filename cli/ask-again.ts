import { setTimeout as sleep } from 'node:timers/promises'

/** Statuses after which a gateway or API takes the same call again, if its `Retry-After` says when. */
const PASSING = new Set([409, 429, 503])

/**
 * A fetch that repeats the same request after the seconds that `Retry-After` names, until another answer comes or
 * the next one would begin later than `patienceS` after the first. A payment in it is repeated as it was signed,
 * so it is taken once at most. `onWait` hears of each pause.
 */
export function askingAgain(options: {
  patienceS: number
  onWait: (pause: { status: number; seconds: number }) => void
}): typeof fetch {
  const { patienceS, onWait } = options
  return async (input, init) => {
    const request = new Request(input, init)
    const endsAt = performance.now() + patienceS * 1_000
    for (;;) {
      const response = await fetch(request.clone())
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const isPassing = PASSING.has(response.status) && Number.isInteger(seconds)
      if (!isPassing || performance.now() + seconds * 1_000 > endsAt) return response
      await response.body?.cancel()
      onWait({ status: response.status, seconds })
      await sleep(seconds * 1_000)
    }
  }
}
