import { createSuiGraphql } from '../../../sandbox/sui/graphql.ts'
import type { SuiChain } from '../../../sandbox/sui/ledger.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/**
 * A GraphQL server of Sui. The public one publishes no limit; this one is no nicer than what the product keeps to, 2 a
 * second and 5 at once, and refuses with text.
 */
export function startSui(options: { clock: FakeClock; chain: SuiChain }): Promise<RuledDouble> {
  const { clock, chain } = options
  const meter = createMeter(clock, [{ name: 'minute', most: 125, span: 60_000 }])
  return startRuled(
    [
      {
        row: 0,
        refuse: ({ address }) =>
          meter.take(address)
            ? { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too Many Requests' }
            : null,
      },
    ],
    answerFrom(
      createSuiGraphql(() => chain),
      clock,
    ),
  )
}
