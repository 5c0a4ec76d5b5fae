import { expect, test } from 'vitest'
import { createCoinGecko } from '../../sandbox/prices/coingecko.ts'
import { createCoinPaprika } from '../../sandbox/prices/coinpaprika.ts'
import { createEcb, createEurofxref } from '../../sandbox/prices/ecb.ts'
import { createFrankfurter } from '../../sandbox/prices/frankfurter.ts'
import { call, day, now, prices, type Row } from './call.ts'

const gecko = createCoinGecko(prices)
const get = async (path: string) => (await call(gecko, path)).body

test('the volume of an exchange is the sum of its markets, which come in pages of 100', async () => {
  const pages: Row[] = []
  for (let page = 1; ; page++) {
    const { tickers } = await get(`/exchanges/binance/tickers?page=${page}`)
    pages.push(...tickers)
    if (tickers.length < 100) break
  }
  expect(pages.length).toBeGreaterThan(300)
  const sum = pages.reduce((total, row) => total + (row['converted_volume'] as { usd: number }).usd, 0)
  const [binance] = (await get('/exchanges?per_page=250')).filter((row: Row) => row['id'] === 'binance')
  const usd = binance.trade_volume_24h_btc * prices.market.priceUsd('bitcoin', now)!
  expect(sum / usd).toBeCloseTo(1, 3)
  const chart = await get('/exchanges/binance/volume_chart?days=14')
  expect(chart).toHaveLength(14 * 24)
  expect(Number(chart.at(-1)[1]) / binance.trade_volume_24h_btc).toBeCloseTo(1, 1)
})

test('a coin has the same markets at every endpoint', async () => {
  const { tickers } = await get('/coins/chainlink/tickers')
  const ofKraken = (await get('/exchanges/kraken')).tickers.filter(
    (row: Row) => row['coin_id'] === 'chainlink',
  )
  expect(ofKraken.length).toBeGreaterThan(1)
  expect(tickers).toEqual(expect.arrayContaining(ofKraken))
  const eur = ofKraken.find((row: Row) => row['target'] === 'EUR')
  expect(eur).not.toHaveProperty('target_coin_id')
  expect(eur.last / eur.converted_last.usd).toBeCloseTo(prices.statistics.perUsd('eur', now)!, 2)
  expect((await call(gecko, '/exchanges/nowhere/tickers')).status).toBe(404)
})

test('the second source has all volumes in USD, including week and month', async () => {
  const { body } = await call(createCoinPaprika(prices), '/exchanges?quotes=USD')
  const active = body.filter((row: Row) => row['active'])
  expect(body.length - active.length).toBe(1)
  for (const { quotes, name } of active) {
    const { adjusted_volume_24h, adjusted_volume_7d, adjusted_volume_30d } = quotes.USD
    expect(adjusted_volume_7d / adjusted_volume_24h, name).toBeGreaterThan(3)
    expect(adjusted_volume_30d, name).toBeGreaterThan(adjusted_volume_7d)
  }
})

test('the three sources of rates agree', async () => {
  const date = new Date((now - day) * 1000).toISOString().slice(0, 10)
  const csv = (
    await call(
      createEcb({ seed: 7 }),
      `/service/data/EXR/D..EUR.SP00.A?startPeriod=${date}&endPeriod=${date}`,
    )
  ).body
  expect(csv.split('\n')[0]).toBe('FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE')
  const gbp = /D,GBP,[\d-]+,([\d.]+)/.exec(csv)![1]
  const xml = (await call(createEurofxref({ seed: 7 }), '/eurofxref-daily.xml')).body
  expect(xml).toContain(`<Cube currency="GBP" rate="${gbp}"/>`)
  expect(xml).toContain(`<Cube time="${date}">`)
  const frankfurter = createFrankfurter({ seed: 7 } as Parameters<typeof createFrankfurter>[0])
  const rows = (await call(frankfurter, `/v2/rates?base=EUR&quotes=GBP&from=${date}&to=${date}`)).body
  expect(String(rows[0].rate)).toBe(gbp)
  expect(
    (
      await call(
        createEcb({ seed: 7 }),
        '/service/data/EXR/D..EUR.SP00.A?startPeriod=2026-11-21&endPeriod=2026-11-22',
      )
    ).status,
  ).toBe(404)
})
