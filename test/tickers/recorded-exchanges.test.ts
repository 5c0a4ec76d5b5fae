import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import type { Fixture } from '../../activities/record-fixture.ts'
import { createCoinGecko } from '../../activities/tickers/sources/coingecko.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const JKORF = 'jkorf/CoinGecko.Net/CoinGecko.Net.UnitTests/Endpoints'

describe.skipIf(realdata === null)('recorded exchanges of CoinGecko read by the adapter', async () => {
  if (realdata === null) return
  const examples = JSON.parse(
    await readFile(join(realdata, 'coingecko-examples/demo-api-examples.json'), 'utf8'),
  ) as Record<string, unknown>
  /** Three lines precede the answer: method, path and a flag. */
  const jkorf = async (name: string) =>
    (await readFile(join(realdata!, JKORF, `${name}.txt`), 'utf8')).split('\n').slice(3).join('\n')
  const fixture = (path: string, text: string): Fixture => ({
    source: 'coingecko',
    method: 'GET',
    path,
    status: 200,
    contentType: 'application/json',
    text,
  })
  const paths = {
    exchanges: '/exchanges?per_page=250&page=1',
    tickers: (id: string) => `/exchanges/${id}/tickers?page=1&order=volume_desc`,
    volumes: (id: string) => `/exchanges/${id}/volume_chart?days=14`,
  }
  const replay = await startReplay([
    fixture(`/docs${paths.exchanges}`, JSON.stringify(examples['GET /exchanges'])),
    fixture(`/docs${paths.tickers('binance')}`, JSON.stringify(examples['GET /exchanges/{id}/tickers'])),
    fixture(`/docs${paths.tickers('by-coin')}`, JSON.stringify(examples['GET /coins/{id}/tickers'])),
    fixture(`/docs${paths.tickers('by-id')}`, JSON.stringify(examples['GET /exchanges/{id}'])),
    fixture(`/docs${paths.volumes('binance')}`, JSON.stringify(examples['GET /exchanges/{id}/volume_chart'])),
    fixture(`/jkorf${paths.exchanges}`, await jkorf('GetExchanges')),
    fixture(`/jkorf${paths.tickers('binance')}`, await jkorf('GetExchangeTickers')),
    fixture(`/jkorf${paths.tickers('by-coin')}`, await jkorf('GetTickers')),
    fixture(`/jkorf${paths.tickers('by-id')}`, await jkorf('GetExchangeDetails')),
    fixture(`/jkorf${paths.volumes('binance')}`, await jkorf('GetExchangeVolumeHistory')),
  ])
  const http = createHttpClient({
    gate: OPEN_GATE,
    sources: { coingecko: { url: replay.url } },
    random: () => 0,
  })
  const docs = createCoinGecko({ http, url: `${replay.url}/docs`, key: null })
  const older = createCoinGecko({ http, url: `${replay.url}/jkorf`, key: null })
  afterAll(async () => {
    await http.close()
    replay.close()
  })

  test('reads all exchanges with every digit', async () => {
    const { rows, quarantined } = await docs.exchanges()
    expect(quarantined).toEqual([])
    expect(rows.map(({ upstreamId, volume24h }) => [upstreamId, volume24h])).toEqual([
      ['gdax', '13692.36253111657'],
      ['binance', '95140.00808634966'],
    ])
    expect(rows[0]).toMatchObject({
      name: 'Coinbase Exchange',
      url: 'https://www.coinbase.com/',
      currency: 'BTC',
    })
    const before = await older.exchanges()
    expect([before.rows.length, before.quarantined.length]).toEqual([2, 0])
    expect(before.rows[0]).toMatchObject({ upstreamId: 'bybit_spot', volume24h: '51075.6271283852' })
  })

  test('reads all markets, priced in their target and in USD', async () => {
    const page = await docs.tickers({ upstreamId: 'binance', page: 1 })
    expect([page.rows.length, page.quarantined.length, page.size]).toEqual([2, 0, 2])
    expect(page.rows[1]).toEqual({
      base: 'BTC',
      target: 'USDC',
      baseUpstreamId: 'bitcoin',
      targetUpstreamId: 'usd-coin',
      pairPrice: '77189.96',
      pairVolume: '2736.40541',
      priceUsd: '77159',
      volumeUsd: '211138535',
      doubtful: false,
      at: new Date('2026-05-26T10:32:01Z'),
    })
    for (const source of [docs, older])
      for (const [id, count] of [
        ['by-coin', 1],
        ['by-id', source === docs ? 2 : 1],
      ] as const) {
        const { rows, quarantined } = await source.tickers({ upstreamId: id, page: 1 })
        expect([id, rows.length, quarantined.length]).toEqual([id, count, 0])
      }
    const before = await older.tickers({ upstreamId: 'binance', page: 1 })
    expect(before.rows).toMatchObject([
      { base: 'BTC', target: 'USDT', pairPrice: '69476', priceUsd: '69498' },
    ])
  })

  test('reads volume charts as text with every digit', async () => {
    const { rows, quarantined } = await docs.volumes('binance')
    expect(quarantined).toEqual([])
    expect(rows).toEqual([
      { at: new Date(1779719400000), volume24hBtc: '76327.6889417086372104' },
      { at: new Date(1779720000000), volume24hBtc: '76335.761747668369059' },
    ])
    const before = await older.volumes('binance')
    expect([before.rows.length, before.quarantined.length]).toEqual([3, 0])
  })
})
