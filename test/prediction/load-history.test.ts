import { expect, test } from 'vitest'
import { loadHistory } from '../../activities/prediction/load-history.ts'
import { sortLevels } from '../../activities/prediction/sort-levels.ts'
import type { Venue } from '../../activities/prediction/venues.ts'
import type { KnownMarket } from '../../db/prediction/read-for-ingest.ts'

const NOW = new Date('2026-06-10T12:30:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const text = (ms: number) => new Date(ms).toISOString().slice(0, 16)

/** What is asked of a venue for a market, and what comes of it. */
async function load({
  points = [],
  isFine = true,
  ...rest
}: Partial<KnownMarket> & { points?: readonly Date[]; isFine?: boolean }) {
  const asked: string[] = []
  const market = {
    outcomeIds: ['yes', 'no'],
    createdAt: ago(30 * DAY_MS),
    pricesAt: null,
    resolvedAt: null,
    ...rest,
  } as unknown as KnownMarket
  const history: Venue['history'] = {
    widestMs: 14 * DAY_MS,
    isFine,
    async read({ outcome, minutes, fromMs, toMs }) {
      asked.push(`${outcome} ${minutes} ${text(fromMs)} ${text(toMs)}`)
      return points.map((at, index) => ({ at, price: `0.${index + 1}` }))
    },
  }
  const loaded = await loadHistory({ history } as Venue, { market, now: NOW })
  const found = loaded.points.map(
    ({ outcome, minutes, at, price }) => `${outcome} ${minutes} ${text(at.getTime())} ${price}`,
  )
  return { asked, found, to: loaded.to }
}

test('a history begins with its market, in windows that the venue takes, and its last day is fine', async () => {
  expect(await load({})).toEqual({
    asked: [
      '0 60 2026-05-11T12:30 2026-05-25T12:30',
      '0 60 2026-05-25T12:30 2026-06-08T12:30',
      '0 60 2026-06-08T12:30 2026-06-10T12:30',
      '0 5 2026-06-09T12:30 2026-06-10T12:30',
    ],
    found: [],
    to: NOW,
  })
})

test('it goes back one year at most', async () => {
  const { asked } = await load({ createdAt: ago(800 * DAY_MS) })
  expect(asked[0]).toBe('0 60 2025-06-10T12:30 2025-06-24T12:30')
})

test('it goes on two hours before its end', async () => {
  const { asked, to } = await load({ pricesAt: ago(HOUR_MS) })
  expect(asked).toEqual(['0 60 2026-06-10T09:30 2026-06-10T12:30', '0 5 2026-06-10T09:30 2026-06-10T12:30'])
  expect(to).toEqual(NOW)
})

test('it ends an hour after its market, and then nothing is asked', async () => {
  const resolvedAt = ago(2 * DAY_MS)
  const end = ago(2 * DAY_MS - HOUR_MS)
  expect(await load({ resolvedAt, pricesAt: ago(3 * DAY_MS) })).toEqual({
    asked: ['0 60 2026-06-07T10:30 2026-06-08T13:30'],
    found: [],
    to: end,
  })
  const pricesAt = ago(2 * DAY_MS - 3 * HOUR_MS)
  expect(await load({ resolvedAt, pricesAt })).toEqual({ asked: [], found: [], to: pricesAt })
  // One that will be resolved ends now.
  expect((await load({ resolvedAt: ago(-DAY_MS), pricesAt: ago(HOUR_MS) })).to).toEqual(NOW)
})

test('of more than two outcomes each one is read', async () => {
  const { asked } = await load({ outcomeIds: ['a', 'b', 'c'], pricesAt: ago(HOUR_MS), isFine: false })
  expect(asked).toEqual(['0', '1', '2'].map((outcome) => `${outcome} 60 2026-06-10T09:30 2026-06-10T12:30`))
})

test('points are those of steps that have ended, without fine ones those of the hours of the last day', async () => {
  const points = [ago(25 * HOUR_MS), ago(DAY_MS), ago(40 * 60_000), ago(60_000)]
  const { found } = await load({ pricesAt: ago(22 * HOUR_MS), isFine: false, points })
  expect(found).toEqual([
    '0 5 2026-06-09T12:30 0.2',
    '0 5 2026-06-10T11:50 0.3',
    '0 5 2026-06-10T12:30 0.4',
    '0 60 2026-06-09T12:00 0.1',
    '0 60 2026-06-09T13:00 0.2',
    '0 60 2026-06-10T12:00 0.3',
    '0 1440 2026-06-10T00:00 0.2',
  ])
})

test('a venue without a history has none, and what is loaded stays so', async () => {
  const pricesAt = ago(DAY_MS)
  const market = { createdAt: pricesAt, pricesAt, resolvedAt: null } as KnownMarket
  expect(await loadHistory({ history: null } as Venue, { market, now: NOW })).toEqual({
    points: [],
    to: pricesAt,
  })
})

test('levels without a size are none, and the best comes first', () => {
  const level = (price: string, size: string) => ({ price, size })
  const levels = [level('0.3', '0'), level('0.1', '1'), level('0.2', '0.5'), level('0.4', '-1')]
  expect(sortLevels({ bids: levels, asks: levels })).toEqual({
    bids: [
      ['0.2', '0.5'],
      ['0.1', '1'],
    ],
    asks: [
      ['0.1', '1'],
      ['0.2', '0.5'],
    ],
  })
})
