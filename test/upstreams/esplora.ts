import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import type { BitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { startDouble } from './double.ts'
import type { DoubleServer, FakeClock } from './double.ts'
import { createMeter } from './meter.ts'
import { answerFrom } from './served-upstream.ts'

/**
 * Blockstream/esplora#449, bitcoindevkit/bdk#1120: the limit is not published; one request in 5 s lasts, with a
 * burst of 10. Counted over ten minutes.
 */
const SUSTAINED = { name: 'sustained', most: 130, span: 600_000 } as const
/** The same issue: after repeated offences all is refused for long, once for weeks. */
const OFFENCES = 3
const BLOCK_MS = 3_600_000

/** Row 43: the public Esplora of Blockstream. */
export async function startEsplora(options: {
  clock: FakeClock
  chain: BitcoinChain | Upstream
}): Promise<DoubleServer & { refused: number[] }> {
  const { clock, chain } = options
  const meter = createMeter(clock, [SUSTAINED])
  const answer = answerFrom(typeof chain === 'function' ? chain : createEsplora(() => chain), clock)
  const refused: number[] = []
  let [offences, blockedUntil] = [0, 0]
  const server = await startDouble((asked) => {
    if (clock.now() >= blockedUntil && !meter.take(asked.address)) return answer(asked)
    refused.push(43)
    if (++offences === OFFENCES) [offences, blockedUntil] = [0, clock.now() + BLOCK_MS]
    return { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too Many Requests' }
  })
  return { ...server, refused }
}
