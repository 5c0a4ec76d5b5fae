import { expect, test } from 'vitest'
import { scoreEvents } from '../../activities/prediction/match-events.ts'
import { type Fill, replayFills } from '../../activities/prediction/replay-fills.ts'
import { claimPrices, countedPrices, priceGap } from '../../api/prediction/claim.ts'
import { toEvent } from '../../api/prediction/event.ts'
import { toMarket } from '../../api/prediction/market.ts'
import { labelsOf } from '../../api/prediction/trader-row.ts'
import type { ServedEvent } from '../../db/prediction/read-events.ts'
import type { ServedMarket } from '../../db/prediction/read-markets.ts'
import { formatDecimal } from '../../db/values/decimal.ts'

const AT = new Date('2026-06-01T00:00:00Z')
const marketOf = (rest: Partial<ServedMarket>): ServedMarket =>
  ({
    venue: 'polymarket',
    outcomes: [],
    best_bid: null,
    best_ask: null,
    liquidity_usd: '0',
    open_interest_usd: '0',
    start_at: null,
    end_at: null,
    resolved_at: null,
    created_at: AT,
    updated_at: AT,
    ...rest,
  }) as ServedMarket
const outcomes = (prices: Readonly<Record<string, string>>, payouts: readonly (string | null)[] = []) =>
  Object.entries(prices).map(([name, price], position) => ({
    position,
    name,
    price,
    change: null,
    payout: payouts[position] ?? null,
  }))

test.each([
  ['Yes stands first', { Yes: '0.3', No: '0.7' }, false, [0.3, 0.2, 0.4]],
  ['Yes stands second', { No: '0.7', yes: '0.3' }, false, [0.3, 0.6, 0.8]],
  ['Over stands second', { Under: '0.7', OVER: '0.3' }, false, [0.3, 0.6, 0.8]],
  ['there is neither, so the first one counts', { Lakers: '0.3', Yesterday: '0.7' }, false, [0.3, 0.2, 0.4]],
  ['Yes stands first, and the opposite is asked', { Yes: '0.3', No: '0.7' }, true, [0.7, 0.6, 0.8]],
  ['Yes stands second, and the opposite is asked', { No: '0.7', Yes: '0.3' }, true, [0.7, 0.2, 0.4]],
])('prices of what a market claims: %s', (_, prices, inverted, [yesPrice, bestBid, bestAsk]) => {
  const market = marketOf({ outcomes: outcomes(prices), best_bid: '0.2', best_ask: '0.4' })
  expect(claimPrices(market, { inverted })).toEqual({ yesPrice, bestBid, bestAsk })
})

test('a side without an offer has none of the other outcome either', () => {
  const market = marketOf({ outcomes: outcomes({ No: '0.7', Yes: '0.3' }), best_bid: '0.2' })
  expect(claimPrices(market, { inverted: false })).toEqual({ yesPrice: 0.3, bestBid: null, bestAsk: 0.8 })
})

test('a gap is that of the highest and the lowest price, and play money counts only alone', () => {
  expect(priceGap([0.3, 0.9, 0.5])).toBe(0.6)
  const [real, play] = [{ playMoney: false }, { playMoney: true }]
  expect(countedPrices([play, real])).toEqual([real])
  expect(countedPrices([play])).toEqual([play])
})

test('a market has a spread only with both offers, and a winner only when it is resolved', () => {
  const prices = { Yes: '1', No: '0' }
  const both = toMarket(marketOf({ outcomes: outcomes(prices), best_bid: '0.2', best_ask: '0.5' }))
  expect([both.spread, both.resolution, both.outcomes.map(({ winner }) => winner)]).toEqual([
    0.3,
    null,
    [null, null],
  ])
  for (const one of [{ best_bid: '0.2' }, { best_ask: '0.5' }])
    expect(toMarket(marketOf({ outcomes: outcomes(prices), ...one })).spread).toBeNull()
  const won = toMarket(
    marketOf({ id: 7, outcomes: outcomes(prices, ['0', '1']), resolution_source: 'the venue' }),
  )
  expect(won.outcomes.map(({ winner }) => winner)).toEqual([false, true])
  expect(won.resolution).toEqual({ outcomeId: '7-1', outcome: 'No', source: 'the venue' })
  // Both are paid a half, so nobody has won.
  expect(toMarket(marketOf({ outcomes: outcomes(prices, ['0.5', '0.5']) })).resolution).toBeNull()
})

test('an event names its likeliest market only if all of it is known', () => {
  const event = {
    venue: 'kalshi',
    volume_24h_usd: '0',
    volume_total_usd: '0',
    liquidity_usd: '0',
    open_interest_usd: '0',
    start_at: null,
    end_at: null,
    created_at: AT,
    updated_at: AT,
  }
  const top = { top_slug: 'slug', top_label: 'Label', top_price: '0' }
  expect(toEvent({ ...event, ...top } as ServedEvent).topOutcome).toEqual({
    marketSlug: 'slug',
    label: 'Label',
    price: 0,
  })
  for (const name of Object.keys(top))
    expect(toEvent({ ...event, ...top, [name]: null } as unknown as ServedEvent).topOutcome).toBeNull()
})

test.each([
  [{ openValue: 10_000 }, ['whale']],
  [{ openValue: 9_999.99 }, []],
  [{ tradesCount: 100 }, ['active']],
  [{ tradesCount: 99 }, []],
  [{ winRate: 0.6, pnl: 0.01 }, ['sharp']],
  [{ winRate: 0.6, pnl: 0 }, []],
  [{ winRate: 0.59, pnl: 1 }, []],
])('a trader with %o has the labels %o', (figures, labels) => {
  expect(labelsOf({ pnl: 0, winRate: 0, tradesCount: 0, openValue: 0, ...figures })).toEqual(labels)
})

test('events match by the mean of their markets, less where few of them match and their titles differ', () => {
  const pair = { common: 1, fewest: 4, score: 0.9 }
  const titles = (polymarketTitle: string, kalshiTitle: string) => ({ polymarketTitle, kalshiTitle })
  const same = scoreEvents({ ...pair, ...titles('NBA Champion', 'NBA Champion') })
  expect(same).toBe(0.9)
  const apart = scoreEvents({ ...pair, ...titles('NBA Champion', 'Oscar winner') })
  expect(apart).toBe(0.6975)
  expect(scoreEvents({ ...pair, common: 4, ...titles('NBA Champion', 'Oscar winner') })).toBe(0.9)
  // All of a shorter title are enough.
  expect(scoreEvents({ ...pair, ...titles('Oscar winner', 'Zebra Oscar winner') })).toBe(0.9)
  expect(scoreEvents({ ...pair, ...titles('', 'Oscar winner') })).toBe(0.6975)
})

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 12))
const fill = (day: number, side: 'buy' | 'sell', size: string, price: string, outcome = 0): Fill => ({
  at: at(day),
  side,
  size,
  price,
  outcome,
})
const replay = (fills: Fill[], payouts: (string | null)[] = [null, null], resolvedAt: Date | null = null) => {
  const { positions, days } = replayFills({ fills, payouts, resolvedAt })
  return {
    positions: positions.map(
      ({ outcome, status, closedAt, shares, costUsd }) =>
        `${outcome} ${status} ${closedAt?.getUTCDate() ?? '-'} ${formatDecimal(shares)} ${formatDecimal(costUsd)}`,
    ),
    days: days.map(({ dayMs, cashUsd, paidUsd, volumeUsd, trades, shares }) =>
      [
        new Date(dayMs).getUTCDate(),
        ...[cashUsd, paidUsd, volumeUsd].map(formatDecimal),
        trades,
        shares.map(formatDecimal).join('+'),
      ].join(' '),
    ),
  }
}

test('a position is sold when all of it is, and open again with the next purchase', () => {
  const sold = [fill(1, 'buy', '10', '0.4'), fill(2, 'sell', '10', '0.5')]
  expect(replay(sold)).toEqual({ positions: ['0 sold 2 0 0'], days: ['1 -4 4 4 1 10', '2 5 0 5 1 0'] })
  expect(replay([...sold, fill(2, 'buy', '1', '0.6')])).toEqual({
    positions: ['0 open - 1 0.6'],
    days: ['1 -4 4 4 1 10', '2 4.4 0.6 5.6 2 1'],
  })
})

test('a sale of more than is held splits what is missing, among all other outcomes', () => {
  expect(
    replay([fill(1, 'buy', '4', '0.5'), fill(2, 'sell', '10', '0.4')], [null, null, null]).positions,
  ).toEqual(['0 sold 2 0 0', '1 open - 6 1.8', '2 open - 6 1.8'])
})

test('a resolution pays at its time, or with the last fill if that was later', () => {
  const fills = [fill(1, 'buy', '10', '0.4'), fill(3, 'buy', '10', '0.5', 1)]
  expect(replay(fills, ['0.5', '0'], at(5))).toEqual({
    positions: ['0 won 5 10 4', '1 lost 5 10 5'],
    days: ['1 -4 4 4 1 10', '3 -5 5 5 1 10+10', '5 5 0 0 0 0+0'],
  })
  expect(replay(fills, ['1', '0'], at(2)).days).toEqual(['1 -4 4 4 1 10', '3 5 5 5 1 0+0'])
  // Not all of it is known.
  expect(replay(fills, ['1', null], at(5)).positions).toEqual(['0 open - 10 4', '1 open - 10 5'])
  expect(replay(fills, ['1', '0'], null).positions).toEqual(['0 open - 10 4', '1 open - 10 5'])
  // What was sold before is neither won nor lost.
  expect(
    replay([fill(1, 'buy', '1', '0.4'), fill(1, 'sell', '1', '0.4')], ['1', '0'], at(5)).positions,
  ).toEqual(['0 sold 1 0 0'])
})
