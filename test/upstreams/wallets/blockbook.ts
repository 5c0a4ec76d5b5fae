import type { BitcoinChain } from '../../../sandbox/bitcoin/chain.ts'
import type { UtxoCoin } from '../../../sandbox/bitcoin/actors.ts'
import { createBlockbook } from '../../../sandbox/bitcoin/blockbook.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, refusedByProxy, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/**
 * A Blockbook behind a proxy. Its limits are the operator's own; these are no nicer than what the product keeps to: 5 a
 * second and 10 at once. A missing block or address is status 400 with `{"error":".."}`: the API page of trezor/blockbook.
 */
export function startBlockbook(options: {
  clock: FakeClock
  coin: UtxoCoin
  chain: BitcoinChain
}): Promise<RuledDouble> {
  const { clock, coin, chain } = options
  const meter = createMeter(clock, [{ name: 'minute', most: 310, span: 60_000 }])
  const answer = answerFrom(
    createBlockbook(coin, () => chain),
    clock,
  )
  return startRuled([refusedByProxy(meter)], answer)
}
