import { afterAll, expect, test } from 'vitest'
import type { refreshDefi } from '../../workflows/defi/refresh-defi.ts'
import type { refreshNfts } from '../../workflows/nft/refresh-nfts.ts'
import type { recomputePortfolio } from '../../workflows/portfolios/recompute-portfolio.ts'
import type { refreshPrediction } from '../../workflows/prediction/refresh-prediction.ts'
import type { backfillPrices } from '../../workflows/prices/backfill-prices.ts'
import type { fillNewCoins } from '../../workflows/prices/fill-new-coins.ts'
import type { fillPriceHistory } from '../../workflows/prices/fill-price-history.ts'
import type { refreshHours } from '../../workflows/prices/refresh-hours.ts'
import type { refreshRisks } from '../../workflows/risk/refresh-risks.ts'
import { askedActivities } from '../setup/asked-activities.ts'
import { startWorker } from '../setup/worker.ts'

// What workflows ask of activities, and how often: batches, pages, windows of time, and what has nothing to do.

const { activities, answer, inputsOf, namesAsked } = askedActivities(`fillHistory listCoinsWithoutHistory
  listLaggingCoins scoreCoins describeCoins appendQuotedHour
  appendDay ensureHourlyPrices readDueDefi readNftHoldings discoverCollections listDueCollections
  readCollections rankNftCategories readTokenMetadata listDueTokens checkTokens listMarketLists
  loadMarketPage loadPastMarketPage checkPredictionMarkets listMarketsWithNewTrades loadMarketTrades
  listMarketsWithOldDetail loadMarketDetails refreshPredictionTraders summarisePrediction
  matchPredictionMarkets matchPredictionEvents listManualCoins priceManualTransactions
  recomputeBookPnl`)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const worker = await startWorker({ taskQueue: 'asked-test', activities })
afterAll(worker.stop)

const sizesOf = (name: string, list: string): number[] => inputsOf(name).map((input) => input[list].length)
const many = (count: number, prefix = 'coin') => Array.from({ length: count }, (_, i) => `${prefix}-${i}`)

/** Runs a workflow, and says between which instants. */
async function timed<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; from: number; to: number }> {
  const from = Date.now()
  const result = await run()
  return { result, from, to: Date.now() }
}

/** Expects the start of the hour, or the UTC day, in which a run was. */
function expectStartOf(stepMs: number, atMs: number, { from, to }: { from: number; to: number }): void {
  expect(atMs % stepMs).toBe(0)
  expect(atMs).toBeGreaterThan(from - stepMs)
  expect(atMs).toBeLessThanOrEqual(to)
}

test('an operator’s back-fill asks for 40 coins at a time, in the chosen range, and adds up what came', async () => {
  answer({ fillHistory: [{ points: 10, quarantined: 1 }] })
  const window = { resolution: 'day', fromMs: 1_000, toMs: 9_000 } as const
  const result = await worker.run<typeof fillPriceHistory>('fillPriceHistory', {
    ...window,
    coinIds: many(85),
  })
  expect(result).toEqual({ points: 30, quarantined: 3 })
  expect(sizesOf('fillHistory', 'coinIds')).toEqual([40, 40, 5])
  expect(inputsOf('fillHistory').flatMap(({ coinIds }) => coinIds)).toEqual(many(85))
  for (const { coinIds: _, ...rest } of inputsOf('fillHistory')) expect(rest).toEqual(window)
})

test('new coins get two years of days and a week of hours, up to the last full ones, and then their scores', async () => {
  answer({
    listCoinsWithoutHistory: [many(41), ['coin-0', 'late']],
    fillHistory: [{ points: 2, quarantined: 0 }],
  })
  const run = await timed(() => worker.run<typeof fillNewCoins>('fillNewCoins'))
  expect(run.result).toEqual({ coins: 42, points: 6, quarantined: 0 })
  expect(inputsOf('listCoinsWithoutHistory').map(({ resolution }) => resolution)).toEqual(['day', 'hour'])
  const [days, more, hours] = inputsOf('fillHistory')
  expect(sizesOf('fillHistory', 'coinIds')).toEqual([40, 1, 2])
  expect([days, more, hours].map(({ resolution }) => resolution)).toEqual(['day', 'day', 'hour'])
  expectStartOf(DAY_MS, days.toMs, run)
  expectStartOf(HOUR_MS, hours.toMs, run)
  expect([days.toMs - days.fromMs, hours.toMs - hours.fromMs]).toEqual([730 * DAY_MS, 7 * DAY_MS])
  expect(namesAsked().slice(-2)).toEqual(['scoreCoins', 'describeCoins'])
})

test('without new coins nothing is filled, scored or described', async () => {
  answer({ listCoinsWithoutHistory: [[]] })
  await worker.run<typeof fillNewCoins>('fillNewCoins')
  expect(namesAsked()).toEqual(['listCoinsWithoutHistory', 'listCoinsWithoutHistory'])
})

test('a back-fill of all coins asks for those that lag behind the last full day and hour', async () => {
  answer({ listLaggingCoins: [['a'], ['b']], fillHistory: [{ points: 3, quarantined: 1 }] })
  const run = await timed(() => worker.run<typeof backfillPrices>('backfillPrices'))
  expect(run.result).toEqual({ points: 6, quarantined: 2 })
  const [day, hour] = inputsOf('listLaggingCoins')
  expectStartOf(DAY_MS, day.untilMs, run)
  expectStartOf(HOUR_MS, hour.untilMs, run)
  expect(inputsOf('fillHistory').map(({ coinIds, toMs }) => [coinIds, toMs])).toEqual([
    [['a'], day.untilMs],
    [['b'], hour.untilMs],
  ])
})

test('the last full hour and its day are added, and hours of a week are fetched of coins that lag, if any', async () => {
  answer({
    appendQuotedHour: [7],
    listLaggingCoins: [['a'], []],
    fillHistory: [{ points: 5, quarantined: 0 }],
  })
  const run = await timed(() => worker.run<typeof refreshHours>('refreshHours'))
  expect(run.result).toEqual({ appended: 7, repaired: 5 })
  const [{ atMs }] = inputsOf('appendQuotedHour') as [{ atMs: number }]
  expectStartOf(HOUR_MS, atMs, run)
  const [{ atMs: dayMs }] = inputsOf('appendDay') as [{ atMs: number }]
  expectStartOf(DAY_MS, dayMs, run)
  expect(inputsOf('fillHistory')).toEqual([
    { resolution: 'hour', coinIds: ['a'], fromMs: atMs - 7 * DAY_MS, toMs: atMs },
  ])
  expect(inputsOf('scoreCoins')).toHaveLength(1)
  expect(await worker.run<typeof refreshHours>('refreshHours')).toEqual({ appended: 7, repaired: 0 })
  expect(inputsOf('fillHistory')).toHaveLength(1)
})

test('tokens are checked 25 at a time for each network, those that were not for a day', async () => {
  const tokens = [...many(30, '0x'), ...many(2, '0y')].map((address) => ({
    blockchain: address.startsWith('0x') ? 'ethereum' : 'base',
    address,
  }))
  answer({ listDueTokens: [tokens], checkTokens: [{ checked: 5, known: 3, quarantined: 1 }] })
  const run = await timed(() => worker.run<typeof refreshRisks>('refreshRisks'))
  expect(run.result).toEqual({ checked: 15, known: 9, quarantined: 3 })
  expect(sizesOf('checkTokens', 'tokens').toSorted((a, b) => b - a)).toEqual([25, 5, 2])
  const [{ beforeMs }] = inputsOf('listDueTokens') as [{ beforeMs: number }]
  expect(beforeMs).toBeGreaterThanOrEqual(run.from - DAY_MS)
  expect(beforeMs).toBeLessThanOrEqual(run.to - DAY_MS)
})

test('collections are read ten at a time in each step, and metadata until a batch is not full', async () => {
  answer({
    readNftHoldings: [0],
    listDueCollections: [many(12), [], [], many(1)],
    readCollections: [1],
    readTokenMetadata: [200, 200, 5],
  })
  const result = await worker.run<typeof refreshNfts>('refreshNfts')
  expect(result).toEqual({ read: 13, notRead: 3, tokens: 405 })
  expect(inputsOf('readCollections').map(({ step, collections }) => [step, collections.length])).toEqual([
    ['description', 10],
    ['description', 2],
    ['market', 1],
  ])
  expect(inputsOf('readTokenMetadata')).toHaveLength(3)
  expect(inputsOf('readNftHoldings')).toHaveLength(1)
})

test('metadata that never ends is left to the next run after 20 batches', async () => {
  answer({ listDueCollections: [[]], readTokenMetadata: [200] })
  expect(await worker.run<typeof refreshNfts>('refreshNfts')).toMatchObject({ tokens: 4_000 })
})

test('a venue’s lists are read to their ends, fills and details 25 markets at a time, traders until none are left', async () => {
  answer({
    listMarketLists: [{ current: ['open', 'new'], past: ['closed', 'old'] }],
    loadMarketPage: [
      { markets: 3, next: 'b' },
      { markets: 2, next: null },
      { markets: 1, next: null },
    ],
    loadPastMarketPage: [{ markets: 10, next: 'c' }, { markets: 10, next: null }, null],
    listMarketsWithNewTrades: [many(26)],
    loadMarketTrades: [{ trades: 4 }],
    listMarketsWithOldDetail: [many(51)],
    refreshPredictionTraders: [500, 7],
    matchPredictionMarkets: [
      { compared: 500, next: 9 },
      { compared: 1, next: null },
    ],
  })
  const run = await timed(() =>
    worker.run<typeof refreshPrediction>('refreshPrediction', { venue: 'polymarket' }),
  )
  expect(run.result).toEqual({ markets: 26, trades: 8, traders: 507, compared: 501 })
  expect(inputsOf('loadMarketPage').map(({ list, cursor }) => [list, cursor])).toEqual([
    ['open', null],
    ['open', 'b'],
    ['new', null],
  ])
  expect(inputsOf('loadPastMarketPage').map(({ list }) => list)).toEqual(['closed', 'closed', 'old'])
  expect(sizesOf('loadMarketTrades', 'marketIds')).toEqual([25, 1])
  expect(sizesOf('loadMarketDetails', 'marketIds')).toEqual([25, 25, 1])
  expect(inputsOf('matchPredictionMarkets').map(({ afterId }) => afterId)).toEqual([0, 9])
  const [{ beforeMs }] = inputsOf('listMarketsWithOldDetail') as [{ beforeMs: number }]
  expect(beforeMs).toBeGreaterThanOrEqual(run.from - 900_000)
  expect(beforeMs).toBeLessThanOrEqual(run.to - 900_000)
})

test('a venue without traders is asked for none, and one that is off for nothing', async () => {
  answer({
    listMarketLists: [{ current: [], past: [] }],
    listMarketsWithNewTrades: [[]],
    listMarketsWithOldDetail: [[]],
    matchPredictionMarkets: [{ compared: 0, next: null }],
  })
  const run = () => worker.run<typeof refreshPrediction>('refreshPrediction', { venue: 'kalshi' })
  expect(await run()).toEqual({ markets: 0, trades: 0, traders: 0, compared: 0 })
  expect(inputsOf('refreshPredictionTraders')).toEqual([])
  answer({ listMarketLists: [null] })
  expect(await run()).toEqual({ markets: 0, trades: 0, traders: 0, compared: 0 })
  expect(namesAsked()).toEqual(['listMarketLists'])
})

test('tokens that only positions hold are priced for the last hour, if there are any', async () => {
  answer({
    readDueDefi: [
      { read: 3, failed: 1, unpriced: ['token'] },
      { read: 1, failed: 0, unpriced: [] },
    ],
  })
  const input = { olderThanSeconds: 300, limit: 500 }
  const run = await timed(() => worker.run<typeof refreshDefi>('refreshDefi', input))
  expect(run.result).toEqual({ read: 3, failed: 1 })
  const [{ coinIds, from, to }] = inputsOf('ensureHourlyPrices') as [
    { coinIds: string[]; from: string; to: string },
  ]
  expect(coinIds).toEqual(['token'])
  expect(Date.parse(to) - Date.parse(from)).toBe(HOUR_MS)
  expect(Date.parse(to)).toBeGreaterThanOrEqual(run.from)
  expect(Date.parse(to)).toBeLessThanOrEqual(run.to)
  await worker.run<typeof refreshDefi>('refreshDefi', input)
  expect(inputsOf('ensureHourlyPrices')).toHaveLength(1)
})

test('a manual portfolio is priced where it holds coins, and computed where it still exists', async () => {
  const coins = { coinIds: ['bitcoin'], from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  answer({ listManualCoins: [coins, null], priceManualTransactions: [true, false] })
  const run = () => worker.run<typeof recomputePortfolio>('recomputePortfolio', { portfolioId: 'p' })
  await run()
  expect(namesAsked()).toEqual([
    'listManualCoins',
    'ensureHourlyPrices',
    'priceManualTransactions',
    'recomputeBookPnl',
  ])
  expect(inputsOf('ensureHourlyPrices')).toEqual([coins])
  answer({ listManualCoins: [null], priceManualTransactions: [false] })
  await run()
  expect(namesAsked()).toEqual(['listManualCoins', 'priceManualTransactions'])
})
