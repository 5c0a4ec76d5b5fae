import { describe, expect, test } from 'vitest'
import { bucketPrices } from '../../activities/prices/bucket-prices.ts'
import { holdBackReason } from '../../activities/prices/hold-back.ts'
import type { MarketRow } from '../../activities/prices/market-data.ts'
import { matchCoins } from '../../activities/prices/match-coins.ts'
import { quoteRow } from '../../activities/prices/quote-row.ts'
import { HOUR_MS } from '../../db/values/periods.ts'

describe('hold back', () => {
  const now = new Date('2026-05-18T13:00:00Z')
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const price = (usd: string, minutes = 1) => ({ usd, at: minutesAgo(minutes) })

  test.each([
    ['agrees with the second source', price('105'), price('100'), price('101'), null],
    [
      'disagrees with the second source by more than a tenth',
      price('112'),
      price('111'),
      price('101'),
      /disagrees/,
    ],
    ['was not updated by its source for over two hours', price('100', 121), null, null, /stale/],
    ['has an instant in the future', price('100', -121), null, price('100'), /from the future/],
    ['more than doubled, without a second source', price('201'), price('100', 30), null, /jump/],
    ['fell to less than half, without a second source', price('49'), price('100', 30), null, /jump/],
    ['doubled against a value that is stale itself', price('201'), price('100', 121), null, null],
    ['crashed, and the second source saw it too', price('1'), price('100'), price('1.05'), null],
    [
      'is compared with the last value because the second source is stale',
      price('150'),
      price('100'),
      price('100', 200),
      null,
    ],
    ['is the first of its coin', price('0.000000000001'), null, null, null],
  ])('a price that %s', (_name, incoming, previous, second, reason) => {
    const found = holdBackReason({ incoming, previous, second, now })
    if (reason === null) expect(found).toBeNull()
    else expect(found).toMatch(reason)
  })
})

describe('price points at full hours', () => {
  const t = (hours: number, seconds = 0) => hours * HOUR_MS + seconds * 1000
  const bucket = (points: [number, string][], from: number, to: number) =>
    bucketPrices(
      points.map(([atMs, usd]) => ({ atMs, usd })),
      { fromMs: t(from), toMs: t(to), stepMs: HOUR_MS },
    ).map(({ atMs, usd }) => [atMs / HOUR_MS, usd])

  test('a sample stamped some seconds late counts for its hour', () => {
    expect(
      bucket(
        [
          [t(1, 20), 'a'],
          [t(2, 7), 'b'],
          [t(3), 'c'],
        ],
        0,
        3,
      ),
    ).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ])
  })
  test('without a sample, the last price before it stays in force for one hour', () => {
    expect(
      bucket(
        [
          [t(1, 1800), 'a'],
          [t(4), 'd'],
        ],
        0,
        4,
      ),
    ).toEqual([
      [2, 'a'],
      [4, 'd'],
    ])
  })
  test('the last point of a chart is the current price, not the edge of a bucket', () => {
    expect(
      bucket(
        [
          [t(1), 'a'],
          [t(1, 2400), 'now'],
        ],
        0,
        1,
      ),
    ).toEqual([[1, 'a']])
  })
  test('accepts unsorted points and excludes the start of the window', () => {
    expect(
      bucket(
        [
          [t(2), 'b'],
          [t(1), 'a'],
        ],
        1,
        2,
      ),
    ).toEqual([[2, 'b']])
  })
})

test('pairs coins of two sources by symbol and name, if both are unique and the prices are close', () => {
  const row = (upstreamId: string, symbol: string, name: string, priceUsd: string) =>
    ({ upstreamId, symbol, name, priceUsd }) as MarketRow
  const first = [
    row('bitcoin', 'BTC', 'Bitcoin', '100'),
    row('uni-a', 'UNI', 'Uni', '5'),
    row('uni-b', 'UNI', 'Uni', '5'),
    row('dog', 'DOG', 'Dog', '1'),
    row('usd-coin', 'USDC', 'USD Coin', '1'),
  ]
  const second = [
    row('btc-bitcoin', 'BTC', 'bitcoin', '101'),
    row('uni-uni', 'UNI', 'Uni', '5'),
    row('dog-dog', 'DOG', 'Dog', '900'),
    row('usdc-usd-coin', 'USDC', 'USD-Coin', '1'),
  ]
  expect(matchCoins(first, second).map(([a, b]) => [a.upstreamId, b.upstreamId])).toEqual([
    ['bitcoin', 'btc-bitcoin'],
    ['usd-coin', 'usdc-usd-coin'],
  ])
})

test.each([
  ['is of the instant that the source states', '12:58', '12:58'],
  ['is in force at once if the clock of the source is ahead', '13:05', '13:00'],
])('a quote %s', (_, stated, expected) => {
  const at = (time: string) => new Date(`2026-05-18T${time}:00Z`)
  const row = { priceUsd: '100', at: at(stated) } as MarketRow
  const quote = quoteRow(row, { coinId: 'bitcoin', source: 'coingecko', fetchedAt: at('13:00') })
  expect(quote.at).toEqual(at(expected))
})
