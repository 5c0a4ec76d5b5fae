import { expect, test } from 'vitest'
import { SourceUnavailable } from '../../../activities/errors.ts'
import { readFeed } from '../../../activities/news/sources/feed.ts'
import { createFrankfurter } from '../../../activities/prices/sources/frankfurter.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import { clientOf } from './client-of.ts'
import { startFeed } from './feed.ts'
import { ecbRate, startFrankfurter } from './frankfurter.ts'

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
