import type { Upstream } from '../../../sandbox/upstream.ts'
import { createRandom } from '../double.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/**
 * Section 7: RugCheck's summaries without a key. The limit is not published; its clients wait half a second at least,
 * and some of the refusals say how long to wait.
 */
export async function startRugCheck(options: { clock: FakeClock; upstream: Upstream }): Promise<RuledDouble> {
  const { clock, upstream } = options
  const minute = createMeter(clock, [{ name: 'minute', most: 40, span: 60_000 }])
  const random = createRandom(5)
  return startRuled(
    [
      {
        row: 0,
        refuse: ({ address }) =>
          minute.take(address)
            ? {
                status: 429,
                headers: random() < 0.5 ? { 'retry-after': '30' } : {},
                body: '{"error":"rate limit exceeded"}',
              }
            : null,
      },
    ],
    answerFrom(upstream, clock),
  )
}
