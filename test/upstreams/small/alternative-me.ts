import type { Upstream } from '../../../sandbox/upstream.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/** Section 7: the fear and greed index of alternative.me, 60 requests a minute of an address by its users. */
export async function startAlternativeMe(options: {
  clock: FakeClock
  upstream: Upstream
}): Promise<RuledDouble> {
  const { clock, upstream } = options
  const minute = createMeter(clock, [{ name: 'minute', most: 60, span: 60_000 }])
  return startRuled(
    [
      {
        row: 0,
        refuse: ({ address }) =>
          minute.take(address)
            ? { status: 429, headers: { 'content-type': 'text/html' }, body: 'Too Many Requests' }
            : null,
      },
    ],
    answerFrom(upstream, clock),
  )
}
