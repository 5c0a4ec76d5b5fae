import { describe, expect, onTestFinished, test } from 'vitest'
import { NotInPlan, SourceUnavailable } from '../../../activities/errors.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { createCoinMarketCap } from '../../../activities/insights/sources/coinmarketcap.ts'
import { readFeed } from '../../../activities/news/sources/feed.ts'
import { createFrankfurter } from '../../../activities/prices/sources/frankfurter.ts'
import type { SourceFailure } from '../../../activities/source-gate.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import { CMC_KEY, startCoinMarketCap } from './coinmarketcap.ts'
import { startFeed } from './feed.ts'
import { ecbRate, startFrankfurter } from './frankfurter.ts'

/** A client without limits of its own, and what its gate is told of failures. */
function clientOf(source: string, url: string) {
  const failures: SourceFailure[] = []
  const gate = {
    admit: async () => {},
    succeeded: async () => {},
    failed: async (failure: SourceFailure) => void failures.push(failure),
  }
  const http = createHttpClient({ gate, sources: { [source]: { url } }, random: () => 0 })
  onTestFinished(() => http.close())
  return { http, failures }
}

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

test('46: rates are those of one provider, also where a currency ends', async () => {
  const clock = createClock(Date.UTC(2026, 0, 5, 9))
  const double = stopLater(await startFrankfurter({ clock }))
  const { http } = clientOf('frankfurter', double.url)
  const { rates, quarantined } = await createFrankfurter({ http, url: double.url }).rates({
    from: '2025-12-29',
    to: '2026-01-05',
  })
  expect(quarantined).toEqual([])
  for (const { currency, at, perUsd } of rates)
    expect(Number(perUsd)).toBe(ecbRate(currency, at.toISOString().slice(0, 10)))
  const daysOf = (code: string) => rates.filter(({ currency }) => currency === code).length
  expect([daysOf('EUR'), daysOf('BGN')]).toEqual([6, 3])
})

test('47: a feed is read with a user agent, behind a redirect, and once for each change', async () => {
  const double = stopLater(await startFeed())
  const { http } = clientOf('feed', double.url)
  const deps = { http, now: () => new Date(Date.UTC(2026, 10, 2, 9)) }
  const request = {
    source: 'feed',
    url: `${double.url}/rss/`,
    validators: { etag: null, lastModified: null },
  }
  const first = await readFeed(deps, request)
  expect(first?.items.map(({ title }) => title)).toEqual(['One'])
  const validators = { etag: first!.etag, lastModified: null }
  expect(await readFeed(deps, { ...request, validators })).toBeNull()
  double.state.isDead = true
  await expect(readFeed(deps, request)).rejects.toBeInstanceOf(SourceUnavailable)
})
