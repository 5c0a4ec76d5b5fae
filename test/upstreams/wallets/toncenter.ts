import type { TonChain } from '../../../sandbox/ton/ledger.ts'
import { createToncenter } from '../../../sandbox/ton/toncenter.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/**
 * TON Center: docs.ton.org, "TON Center API". One request a second from an address without a key, ten with one; above
 * that 429 in the words of its gateway.
 */
export function startToncenter(options: { clock: FakeClock; chain: TonChain }): Promise<RuledDouble> {
  const { clock, chain } = options
  const keyless = createMeter(clock, [{ name: 'second', most: 1, span: 1_000 }])
  const keyed = createMeter(clock, [{ name: 'second', most: 10, span: 1_000 }])
  return startRuled(
    [
      {
        row: 0,
        refuse({ headers, address }) {
          const key = headers['x-api-key']
          const isOver = key === undefined ? keyless.take(address) : keyed.take(String(key))
          return isOver ? { status: 429, body: { ok: false, result: 'Ratelimit exceed', code: 429 } } : null
        },
      },
    ],
    answerFrom(
      createToncenter(() => chain),
      clock,
    ),
  )
}
