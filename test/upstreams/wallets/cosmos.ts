import type { CosmosChain } from '../../../sandbox/cosmos/ledger.ts'
import { createCosmosRest } from '../../../sandbox/cosmos/rest.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, refusedByProxy, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/**
 * The REST interface of a node behind a proxy. Its limits are the provider's; these are no nicer than what the product
 * keeps to, 2 a second and 5 at once. Proxies refuse with a page, the node itself with `{"code","message","details"}`.
 */
export function startCosmos(options: { clock: FakeClock; chain: CosmosChain }): Promise<RuledDouble> {
  const { clock, chain } = options
  const meter = createMeter(clock, [{ name: 'minute', most: 125, span: 60_000 }])
  return startRuled(
    [refusedByProxy(meter)],
    answerFrom(
      createCosmosRest(() => chain),
      clock,
    ),
  )
}
