import { errorOf } from './errors.ts'
import { wait } from './wait.ts'

/** How a client calls. */
export interface Terms {
  /** Longest wait in seconds before a call. */
  maxWaitS: number
  /** Makes the headers that pay for a call from the answer 402 that asks for it. */
  pay: ((challenge: Response) => Promise<Record<string, string>>) | undefined
  /** Whether a call without an answer is sent again: a fetch that pays by itself would pay anew. */
  repeatsLost: boolean
  /** When the rate allows a call, by `performance.now()`. */
  freeAtMs: number
}

const ATTEMPTS = 3

interface Sent {
  send: (headers: Headers) => Promise<Response>
  headers: Headers
  /** Whether the call has one effect however often it arrives. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
}

/**
 * Sends a call until it is answered. It waits while RateLimit says that no call is left, for the time in Retry-After, and
 * with growing pauses after 503 without it and after a connection that broke. Rejects where waiting does not help.
 */
export async function sendUntilAnswered(
  { send, headers, isRepeatable, signal }: Sent,
  terms: Terms,
): Promise<Response> {
  let hasPaid = false
  let left = ATTEMPTS - 1

  /** Waits, or throws the error when there is nothing to wait for. */
  async function again(error: unknown, retryAfterS?: number): Promise<void> {
    // 0.5 to 0.75 seconds, then twice as long.
    const waitS = retryAfterS ?? 0.5 * (ATTEMPTS - left) * (1 + Math.random() / 2)
    if (!isRepeatable || left === 0 || waitS > terms.maxWaitS) throw error
    left--
    await wait(waitS, signal)
  }

  const pauseS = Math.min(terms.maxWaitS, (terms.freeAtMs - performance.now()) / 1_000)
  if (pauseS > 0) await wait(pauseS, signal)
  for (;;) {
    let response
    try {
      response = await send(headers)
    } catch (error) {
      if (!terms.repeatsLost || signal?.aborted) throw error
      await again(error)
      continue
    }
    const spent = /;r=0;t=(\d+)/.exec(response.headers.get('ratelimit') ?? '')
    if (spent) terms.freeAtMs = performance.now() + Number(spent[1]) * 1_000
    if (response.ok) return response
    if (response.status === 402 && terms.pay && !hasPaid) {
      // Each later attempt carries this payment: a new one for the same call would be taken as well.
      for (const [name, value] of Object.entries(await terms.pay(response))) headers.set(name, value)
      hasPaid = true
      continue
    }
    const error = await errorOf(response)
    // A fetch that pays by itself would pay anew.
    if (error.kind === 'payment-pending' && !hasPaid) throw error
    if (error.retryAfterS !== null) await again(error, error.retryAfterS)
    else if (error.status === 503) await again(error)
    else throw error
  }
}
