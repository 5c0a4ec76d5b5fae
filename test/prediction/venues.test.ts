import { describe, expect, test } from 'vitest'
import type { PredictionSources } from '../../activities/prediction/prediction-sources.ts'
import { createVenues } from '../../activities/prediction/venues.ts'
import type { KnownMarket } from '../../db/prediction/read-for-ingest.ts'

// What is asked of each venue, and its order books as those of both outcomes.

const AT = new Date('2026-06-01T00:00:00Z')
const market = (told: Partial<KnownMarket> = {}) =>
  ({ outcomeIds: ['yes', 'no'], resolvedAt: null, ...told }) as KnownMarket
/** The venues above sources that answer with what they are asked, or with `answers`. */
function venuesOf(answers: Record<string, (...asked: any[]) => unknown> = {}) {
  const source = () =>
    new Proxy(
      {},
      {
        get: (_, method: string) => (asked: unknown) =>
          answers[method] ? answers[method](asked) : { method, asked },
      },
    )
  return createVenues(new Proxy({}, { get: () => source }) as PredictionSources)
}
const book = {
  bids: [
    ['0.4', '10'],
    ['0.3', '20'],
  ],
  asks: [['0.45', '30']],
  tickSize: '0.01',
  at: AT,
}
const mirrored = {
  ...book,
  bids: [['0.55', '30']],
  asks: [
    ['0.6', '10'],
    ['0.7', '20'],
  ],
}

describe('an order book', () => {
  test.each(['kalshi', 'limitless'] as const)(
    'of %s is of one outcome, and of the other as its mirror',
    async (venue) => {
      expect(await venuesOf({ orderBook: () => book })[venue].orderBooks!(market())).toEqual([
        { outcome: 0, ...book },
        { outcome: 1, ...mirrored },
      ])
    },
  )

  test('that Limitless does not have is none of either outcome', async () => {
    expect(await venuesOf({ orderBook: () => null }).limitless.orderBooks!(market())).toEqual([])
  })

  test('of Polymarket is asked for each outcome, of which one may have none', async () => {
    const { polymarket } = venuesOf({ orderBook: (token) => (token === 'no' ? book : null) })
    expect(await polymarket.orderBooks!(market())).toEqual([{ outcome: 1, ...book }])
  })
})

test('a list is asked by its name', () => {
  const { polymarket, kalshi } = venuesOf()
  const page = (venue: typeof kalshi, list: string) => venue.page({ list, cursor: 'c' })
  expect(page(polymarket, 'open')).toMatchObject({ method: 'events', asked: { closed: false, cursor: 'c' } })
  expect(page(polymarket, 'closed')).toMatchObject({ asked: { closed: true } })
  expect(page(kalshi, 'settled')).toMatchObject({ method: 'events', asked: { status: 'settled' } })
  expect(page(kalshi, 'archive')).toMatchObject({ method: 'archivedMarkets', asked: { cursor: 'c' } })
})

test('only those of Polymarket that have a condition can be checked', () => {
  const rows = [
    { venueMarketId: 'a', conditionId: '0x1' },
    { venueMarketId: 'b', conditionId: null },
  ]
  expect(venuesOf().polymarket.check!(rows)).toMatchObject({ asked: ['0x1'] })
  expect(venuesOf().kalshi.check!(rows)).toMatchObject({ asked: ['a', 'b'] })
})

describe('prices of Kalshi', () => {
  const window = { outcome: 0, minutes: 60, fromMs: 0, toMs: 1 } as const
  const isArchived = async (resolvedAt: Date | null, settledAt: Date | null) => {
    const asked: { archived: boolean }[] = []
    const { kalshi } = venuesOf({
      cutoff: () => ({ settledAt }),
      history: (request) => {
        asked.push(request)
        return { points: [] }
      },
    })
    await kalshi.history!.read({ market: market({ resolvedAt }), ...window })
    return asked[0]!.archived
  }

  test('are in the archive once the market was settled before it begins', async () => {
    const before = new Date(AT.getTime() - 1)
    expect(await isArchived(before, AT)).toBe(true)
    expect(await isArchived(AT, AT)).toBe(false)
    expect(await isArchived(before, null)).toBe(false)
    expect(await isArchived(null, AT)).toBe(false)
  })
})

test('prices come in windows of so many days, and in steps of five minutes from Polymarket alone', () => {
  const windows = Object.entries(venuesOf()).map(([name, { history }]) => [
    name,
    history && history.widestMs / 86_400_000,
    history?.isFine ?? false,
  ])
  expect(windows).toEqual([
    ['polymarket', 14, true],
    ['kalshi', 200, false],
    ['limitless', 30, false],
    ['predictit', null, false],
    ['manifold', 366, false],
  ])
})
