import { describe, expect, test } from 'vitest'
import { NotInPlan, SourceUnavailable } from '../../activities/errors.ts'
import { createCoinMarketCap } from '../../activities/insights/sources/coinmarketcap.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { clientOf } from '../upstreams/small/client-of.ts'
import { CMC_KEY, startCoinMarketCap } from './coinmarketcap-double.ts'

describe('14: CoinMarketCap', () => {
  async function start() {
    const clock = createClock(Date.UTC(2026, 10, 2, 9))
    const double = stopLater(await startCoinMarketCap({ clock }))
    const { http, failures } = clientOf('coinmarketcap', double.url)
    const options = { http, url: double.url, now: () => new Date(clock.now()) }
    return { double, failures, index: createCoinMarketCap({ ...options, key: CMC_KEY }), options }
  }

  test('an error code that is the text "0" is none', async () => {
    const { index } = await start()
    expect((await index.history({ days: 3 })).days).toHaveLength(3)
  })

  test.each([
    [1008, null],
    [1011, null],
    [1009, 15 * 3_600_000],
    [1010, (28 * 24 + 15) * 3_600_000],
  ])('the limit %i is waited for until it ends', async (code, waitMs) => {
    const { double, failures, index } = await start()
    double.state.code = code
    await expect(index.history({ days: 3 })).rejects.toBeInstanceOf(SourceUnavailable)
    expect(failures[0]).toMatchObject({ reason: expect.stringContaining('429'), retryAfterMs: waitMs })
    double.state.isSilent = true
    await expect(index.history({ days: 3 })).rejects.toMatchObject({ retryAfterMs: waitMs })
  })

  test.each([1001, 1003, 1006])('the code %i is of the plan and is not tried again', async (code) => {
    const { double, index } = await start()
    double.state.code = code
    await expect(index.history({ days: 3 })).rejects.toBeInstanceOf(NotInPlan)
    double.state.isSilent = true
    await expect(index.history({ days: 3 })).rejects.toBeInstanceOf(NotInPlan)
    expect(double.asked).toHaveLength(2)
  })
})
