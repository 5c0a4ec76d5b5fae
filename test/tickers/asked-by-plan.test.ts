import { expect, test } from 'vitest'
import { tickersArea } from '../../activities/tickers/area.ts'
import { askedBy } from '../setup/asked-by.ts'

test('markets of exchanges are asked only with a key of CoinGecko, which names them', async () => {
  const volumes = { 'coinpaprika volumes of exchanges': 1 }
  expect(await askedBy(tickersArea, {})).toEqual(volumes)
  expect(await askedBy(tickersArea, { coingecko: 'keyless' })).toEqual(volumes)
  expect(await askedBy(tickersArea, { coingecko: 'free' })).toEqual({
    ...volumes,
    'coingecko volumes of exchanges': 1,
    'coingecko markets of exchanges': 10,
    'binance-klines hours of markets': 30,
  })
})
