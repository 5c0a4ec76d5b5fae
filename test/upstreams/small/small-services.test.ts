import { expect, test } from 'vitest'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../../activities/errors.ts'
import { readFeed } from '../../../activities/news/sources/feed.ts'
import { createAlchemyNft } from '../../../activities/nft/sources/alchemy-nft.ts'
import { createEcb } from '../../../activities/prices/sources/ecb.ts'
import { createEurofxref } from '../../../activities/prices/sources/eurofxref.ts'
import { createFrankfurter } from '../../../activities/prices/sources/frankfurter.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import { COLLECTION, startAlchemyNft } from './alchemy-nft.ts'
import { clientOf } from './client-of.ts'
import { perEuro, startEcb } from './ecb.ts'
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

test('section 7: the ECB has rates of days with a fixing, and a day without a rate is set aside', async () => {
  const clock = createClock(Date.UTC(2026, 0, 5, 9))
  const double = stopLater(await startEcb({ clock }))
  const { http } = clientOf('ecb', double.url)
  const ecb = createEcb({ http, url: double.url })
  const { rows, quarantined } = await ecb.rates({ from: '2025-12-29', to: '2026-01-05' })
  expect(rows).toHaveLength(6 * 3 + 3)
  for (const { currency, at, perEur } of rows)
    expect(Number(perEur)).toBeCloseTo(perEuro(currency, at.toISOString().slice(0, 10)), 4)
  expect(quarantined).toHaveLength(1)
  // A weekend.
  expect(await ecb.rates({ from: '2026-01-03', to: '2026-01-04' })).toEqual({ rows: [], quarantined: [] })
  await expect(ecb.rates({ from: 'never', to: '2026-01-04' })).rejects.toBeInstanceOf(SourceRejected)
})

test('section 7: the file of the ECB gives ninety days, and maintenance is no file without rates', async () => {
  const clock = createClock(Date.UTC(2026, 0, 5, 9))
  const double = stopLater(await startEcb({ clock }))
  const { http } = clientOf('eurofxref', double.url)
  const eurofxref = createEurofxref({ http, url: double.url })
  const { rows, quarantined } = await eurofxref.rates()
  expect(quarantined).toEqual([])
  expect(new Set(rows.map(({ at }) => at.getTime())).size).toBe(65)
  double.state.isClosed = true
  await expect(eurofxref.rates()).rejects.toThrow('no rates in its file')
})

test('15: NFTs of Alchemy within its throughput, with unknown fields, and each refusal by its meaning', async () => {
  const clock = createClock()
  const double = stopLater(await startAlchemyNft({ clock, key: 'good' }))
  const { http } = clientOf('alchemy-nft', double.url)
  const alchemy = createAlchemyNft({ http, url: double.url, key: 'good' })
  const known = { networkId: 'ethereum', address: COLLECTION }
  expect(await alchemy.contract(known)).toMatchObject({ standard: 'erc721', name: 'Rocks', verified: null })
  expect(await alchemy.floorPrice(known)).toEqual({ price: '0.5', symbol: 'ETH', at: null })
  const first = await alchemy.nfts({ ...known, next: null })
  const second = await alchemy.nfts({ ...known, next: first.next })
  expect([first.rows.length, second.rows.length, second.next]).toEqual([100, 50, null])
  const nowhere = { networkId: 'ethereum', address: `0x${'cd'.repeat(20)}` }
  await expect(alchemy.floorPrice(nowhere)).rejects.toThrow('unable to fetch floor price')

  const wrong = createAlchemyNft({ http, url: double.url, key: 'bad' })
  await expect(wrong.contract(known)).rejects.toBeInstanceOf(NotInPlan)
  await Promise.all(
    Array.from({ length: 60 }, () =>
      fetch(`${double.url}/good/getNFTsForContract?contractAddress=${COLLECTION}`),
    ),
  )
  await expect(alchemy.nfts({ ...known, next: null })).rejects.toBeInstanceOf(SourceUnavailable)
  clock.advance(10_000)
  expect(await alchemy.contract(known)).toMatchObject({ name: 'Rocks' })
})
