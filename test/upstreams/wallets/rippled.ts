import type { XrplChain } from '../../../sandbox/xrpl/ledger.ts'
import { createRippled } from '../../../sandbox/xrpl/rippled.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/** Not published: no nicer than what the product keeps to, 2 a second and 5 at once. */
const MOST = 125
const REFUSED_MS = 60_000

export interface RippledDouble extends RuledDouble {
  state: { isBusy: boolean }
}

/**
 * A public rippled: xrpl.org, "Rate Limiting". Near the limit answers have a `warning` at the top; above it status 503
 * with a text for "a while". A busy server says `tooBusy` with status 200.
 */
export async function startRippled(options: { clock: FakeClock; chain: XrplChain }): Promise<RippledDouble> {
  const { clock, chain } = options
  const state = { isBusy: false }
  const meter = createMeter(clock, [{ name: 'minute', most: MOST, span: 60_000 }])
  const answer = answerFrom(
    createRippled(() => chain),
    clock,
  )
  let refusedUntil = 0
  const server = await startRuled(
    [
      {
        row: 0,
        refuse({ address }) {
          if (clock.now() >= refusedUntil && !meter.take(address)) return null
          refusedUntil = Math.max(refusedUntil, clock.now() + REFUSED_MS)
          return { status: 503, headers: { 'content-type': 'text/plain' }, body: 'Server is overloaded\n' }
        },
      },
      {
        row: 0,
        refuse: () =>
          state.isBusy
            ? {
                body: {
                  result: {
                    error: 'tooBusy',
                    error_code: 9,
                    error_message: 'The server is too busy.',
                    status: 'error',
                  },
                },
              }
            : null,
      },
    ],
    async (asked) => {
      const reply = await answer(asked)
      const isNear = meter.spent(asked.address, 60_000) > 0.8 * MOST
      return isNear ? { ...reply, body: { warning: 'load', ...(reply.body as object) } } : reply
    },
  )
  return { ...server, state }
}
