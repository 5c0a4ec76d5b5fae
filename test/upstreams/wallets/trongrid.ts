import type { TronChain } from '../../../sandbox/tron/chain.ts'
import { createTrongrid } from '../../../sandbox/tron/trongrid.ts'
import type { FakeClock, Reply } from '../double.ts'
import { createMeter } from '../meter.ts'
import { partsOf, type RuledDouble, startRuled } from '../prices/ruled.ts'
import { answerFrom } from '../served-upstream.ts'

const SUSPENDED_MS = 30_000
const SUSPENDED = 'The key exceeds the frequency limit(15), and the query server is suspended for 30s'

/**
 * developers.tron.network/reference/rate-limits. With a key: 15 requests a second and 100,000 a day, then 5 a second;
 * above that 503. Without one the limit is "dynamic": here one a second and three at once, and who passes it is answered
 * 403 for 30 seconds. The lists and the nodes word it differently.
 */
export function startTrongrid(options: { clock: FakeClock; chain: TronChain }): Promise<RuledDouble> {
  const { clock, chain } = options
  const keyless = createMeter(clock, [{ name: 'keyless', most: 13, span: 10_000 }])
  const second = createMeter(clock, [{ name: 'second', most: 15, span: 1_000 }])
  const slow = createMeter(clock, [{ name: 'slow', most: 5, span: 1_000 }])
  const day = createMeter(clock, [{ name: 'day', most: 100_000, span: 'day' }])
  let suspendedUntil = 0

  const suspended = (isList: boolean, status: number): Reply => ({
    status,
    body: isList ? { Success: false, Error: SUSPENDED, StatusCode: status } : { Error: SUSPENDED },
  })

  return startRuled(
    [
      {
        row: 0,
        refuse(asked) {
          const isList = partsOf(asked)[0] === 'v1'
          const key = asked.headers['tron-pro-api-key']
          if (key !== undefined) {
            const isOver = day.take(String(key)) ? slow.take(String(key)) : second.take(String(key))
            return isOver ? suspended(isList, 503) : null
          }
          if (clock.now() < suspendedUntil) return suspended(isList, 403)
          if (!keyless.take(asked.address)) return null
          suspendedUntil = clock.now() + SUSPENDED_MS
          return suspended(isList, 403)
        },
      },
    ],
    answerFrom(
      createTrongrid(() => chain),
      clock,
    ),
  )
}
