import { expect, onTestFinished, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { predictionArea } from '../../activities/prediction/area.ts'
import { createPolymarketData } from '../../activities/prediction/sources/polymarket-data.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { RATES as KALSHI_RATES } from './kalshi.ts'
import { LIMITS as CLOB_LIMITS } from './polymarket-clob.ts'
import { startPolymarketData, TRADES as DATA_TRADES } from './polymarket-data.ts'
import { LIMITS as GAMMA_LIMITS } from './polymarket-gamma.ts'
import { createPolymarketMarket } from './polymarket-market.ts'

// What the venues do over their rates, and that the rates that the area declares stay below them.

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const market = createPolymarketMarket({ number: 1, rows: 9, newestAt: 1_760_000_000 })
const known = { ...market, venueMarketId: market.id, outcomeIds: market.tokens, series: null }
const markets = [market]

test('36: an answer that Polymarket holds back over the rate is waited for no longer than the deadline', async () => {
  const clock = createClock()
  const { url, refused } = stopLater(await startPolymarketData({ clock, markets }))
  const sources = { 'polymarket-data': { url } }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0, deadlineMs: 2_000 })
  onTestFinished(() => http.close())
  const data = createPolymarketData({ http, url, now: () => new Date(clock.now()) })
  const ask = () => data.trades({ market: known, cursor: null })
  for (let i = 0; i < 200; i++) await ask()
  const held = ask()
  await expect(held).rejects.toThrow(SourceUnavailable)
  expect(refused).toEqual([36, 36, 36])
  clock.advance(20_000)
  expect((await ask()).trades).toHaveLength(9)
})

/** What the area may send in ten seconds, once the burst is full. */
function mostInTenSeconds(name: string): number {
  const { requestsPerSecond, burst } = predictionArea.sources.find((source) => source.name === name)!
  return burst + 10 * requestsPerSecond
}

test.each([
  ['polymarket-data', DATA_TRADES.most],
  ['polymarket-gamma', GAMMA_LIMITS['/markets']],
  ['polymarket-clob', CLOB_LIMITS['/prices-history']],
])('36: the declared rate of %s is below its tightest', (name, most) => {
  expect(mostInTenSeconds(name)).toBeLessThanOrEqual(most)
})

test('39: the declared rate of Kalshi is below the one without a key', () => {
  const { requestsPerSecond, burst } = predictionArea.sources.find(({ name }) => name === 'kalshi')!
  expect(burst + requestsPerSecond).toBeLessThanOrEqual(KALSHI_RATES.keyless)
})
