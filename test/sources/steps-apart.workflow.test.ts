import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { refreshPrediction } from '../../workflows/prediction/refresh-prediction.ts'
import type { refreshTickers } from '../../workflows/tickers/refresh-tickers.ts'
import { startWorker } from '../setup/worker.ts'

const asked: string[] = []
/** An activity that is tried until `away` is over, as Temporal reports it in the end. */
const away = (source: string) => () =>
  Promise.reject(ApplicationFailure.nonRetryable(`${source}: fetch failed`, 'SourceUnavailable'))
const answers =
  <Result>(name: string, result: Result) =>
  async () => {
    asked.push(name)
    return result
  }
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  worker = await startWorker({
    taskQueue: 'steps-test',
    activities: {
      refreshExchanges: away('coinpaprika'),
      refreshTickers: answers('tickers', { tickers: 2, quarantined: 0 }),
      fillPairPrices: away('binance-klines'),
      fillVolumes: answers('volumes', 1),

      listMarketLists: async () => ({ current: ['open'], past: [] }),
      loadMarketPage: away('polymarket-gamma'),
      checkPredictionMarkets: away('polymarket-gamma'),
      listMarketsWithNewTrades: answers('new trades', [1]),
      loadMarketTrades: answers('trades', { trades: 3 }),
      listMarketsWithOldDetail: answers('old details', [1]),
      loadMarketDetails: away('polymarket-clob'),
      refreshPredictionTraders: answers('traders', 0),
      summarisePrediction: answers('summaries', undefined),
      matchPredictionMarkets: answers('matches', { compared: 0, next: null }),
      matchPredictionEvents: answers('events', undefined),
    },
  })
})
afterAll(() => worker.stop())

test('exchanges and closes are away: markets and volumes are read, and the run names the cause', async () => {
  const input = { exchanges: 1, pages: 1 }
  await expect(worker.run<typeof refreshTickers>('refreshTickers', input)).rejects.toMatchObject({
    cause: { message: '2 of 4 steps failed. exchanges: coinpaprika: fetch failed' },
  })
  expect(asked.splice(0)).toEqual(['tickers', 'volumes'])
})

test('Y19 one service of a venue is away: those of its trades and traders are read', async () => {
  await expect(
    worker.run<typeof refreshPrediction>('refreshPrediction', { venue: 'polymarket' }),
  ).rejects.toMatchObject({
    cause: { message: '3 of 7 steps failed. markets: polymarket-gamma: fetch failed' },
  })
  expect(asked).toEqual(['new trades', 'trades', 'old details', 'traders', 'summaries', 'matches', 'events'])
})
