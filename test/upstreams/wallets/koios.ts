import { createKoios } from '../../../sandbox/cardano/koios.ts'
import type { CardanoChain } from '../../../sandbox/cardano/ledger.ts'
import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

/** How long an address that asked too often is refused. */
const SLEEP_MS = 60_000

/**
 * Koios: "Limits" of its specification and koios.rest/tiers. An address may call an endpoint 100 times in 10 seconds, and
 * then sleeps for a minute; 5,000 calls a day without a token, 50,000 with one. The sandbox itself knows the sizes of
 * bodies.
 */
export function startKoios(options: { clock: FakeClock; chain: CardanoChain }): Promise<RuledDouble> {
  const { clock, chain } = options
  const burst = createMeter(clock, [{ name: 'burst', most: 100, span: 10_000 }])
  const days = {
    public: createMeter(clock, [{ name: 'day', most: 5_000, span: 'day' }]),
    registered: createMeter(clock, [{ name: 'day', most: 50_000, span: 'day' }]),
  }
  const asleep = new Map<string, number>()
  const refusal = { status: 429, headers: { 'content-type': 'text/html' }, body: '429 Too Many Requests' }
  return startRuled(
    [
      {
        row: 0,
        refuse({ headers, address, path }) {
          const caller = headers['authorization'] ?? address
          if (clock.now() < (asleep.get(caller) ?? 0)) return refusal
          const isOver = burst.take(`${caller} ${path}`) !== null
          if (isOver) asleep.set(caller, clock.now() + SLEEP_MS)
          const day = headers['authorization'] === undefined ? days.public : days.registered
          return isOver || day.take(caller) ? refusal : null
        },
      },
    ],
    answerFrom(
      createKoios(() => chain),
      clock,
    ),
  )
}
