import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createCoinGecko } from '../../activities/prices/sources/coingecko.ts'
import type { Fixture } from '../../activities/record-fixture.ts'
import { recordFixtures } from '../../activities/record-fixture.ts'
import { realdata } from '../setup/realdata.ts'
import { readFixtures, startReplay } from '../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

describe.skipIf(realdata === null)("CoinGecko's published examples read by the adapter", async () => {
  if (realdata === null) return
  const file = join(realdata, 'coingecko-examples/demo-api-examples.json')
  const examples = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  const fixture = (path: string, example: string): Fixture => ({
    source: 'coingecko',
    method: 'GET',
    path: `/api/v3${path}`,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(examples[`GET ${example}`]),
  })
  const window = 'vs_currency=usd&from=1779027899&to=1779030000'
  const details =
    'localization=false&tickers=false&market_data=false&community_data=false&developer_data=false'
  const markets = 'vs_currency=usd&per_page=250&page=1&price_change_percentage=1h,24h,7d,30d'
  const recorded = [
    fixture(`/coins/markets?${markets}`, '/coins/markets'),
    fixture('/coins/list?include_platform=true', '/coins/list'),
    fixture('/global', '/global'),
    fixture(`/coins/bitcoin/market_chart/range?${window}`, '/coins/{id}/market_chart/range'),
    fixture(`/coins/bitcoin?${details}`, '/coins/{id}'),
  ]
  const folder = await mkdtemp(join(tmpdir(), 'sluice-record-'))
  const replay = await startReplay(recorded)
  const clientOf = (url: string, record?: ReturnType<typeof recordFixtures>) =>
    createHttpClient({
      gate: OPEN_GATE,
      sources: { coingecko: { url } },
      random: () => 0,
      ...(record && { record }),
    })
  const http = clientOf(replay.url, recordFixtures(folder))
  const options = {
    url: `${replay.url}/api/v3`,
    key: 'secret-key',
    now: () => new Date('2026-05-26T00:00:00Z'),
  }
  const coingecko = createCoinGecko({ http, ...options })
  afterAll(async () => {
    await http.close()
    replay.close()
    await rm(folder, { recursive: true })
  })

  test('reads the markets with every figure as exact decimal text', async () => {
    const { rows, quarantined } = await coingecko.markets(1)
    expect(quarantined).toEqual([])
    expect(rows[0]).toMatchObject({
      upstreamId: 'bitcoin',
      symbol: 'BTC',
      rank: 1,
      priceUsd: '77671',
      marketCapUsd: '1555886872303',
      availableSupply: '20030493',
      priceChange1h: '0.5823392426906319',
      priceChange1m: '1.9453890367549207',
      allTimeHighUsd: '126080',
      allTimeLowAt: new Date('2013-07-06T00:00:00Z'),
      at: new Date('2026-05-18T12:49:21.599Z'),
    })
  })

  test('reads the list of coins with their contracts', async () => {
    expect(await coingecko.listings()).toEqual([
      {
        upstreamId: 'official-trump',
        symbol: 'TRUMP',
        name: 'Official Trump',
        contracts: [{ blockchain: 'solana', address: '6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN' }],
      },
      {
        upstreamId: 'ondo-finance',
        symbol: 'ONDO',
        name: 'Ondo',
        contracts: [{ blockchain: 'ethereum', address: '0xfaba6f8e4a5e8ab82f62fe7c39859fa577269be3' }],
      },
    ])
  })

  test('reads totals, chart and description', async () => {
    const totals = {
      at: new Date(1779878351000),
      marketCapUsd: '2621040321355.0405',
      volume24hUsd: '95133256404.37308',
      btcDominance: '57.9539332566265',
      marketCapChange: '-1.6081983639177684',
      volumeChange: '33.064521460740046',
    }
    expect(await coingecko.marketTotals()).toEqual({ rows: [totals], quarantined: [] })
    const range = { upstreamId: 'bitcoin', fromMs: 1779027899000, toMs: 1779030000000 }
    expect((await coingecko.history(range)).points).toEqual([
      { atMs: 1779027899041, usd: '77953.82550382407' },
      { atMs: 1779028199661, usd: '78052.87543398788' },
    ])
    const coin = await coingecko.coinDetails('bitcoin')
    expect(coin.websiteUrl).toMatch(/^https?:/)
    expect(coin.categories.length).toBeGreaterThan(0)
    expect(coin.contracts).toEqual([])
  })

  test('reads recordings of 2024 and 2025, which lack some fields, without losing or inventing data', async () => {
    const folder2024 = join(realdata!, 'jkorf/CoinGecko.Net/CoinGecko.Net.UnitTests/Endpoints')
    /** Three lines precede the answer: method, path and a flag. */
    const answer = async (name: string) =>
      (await readFile(join(folder2024, `${name}.txt`), 'utf8')).split('\n').slice(3).join('\n')
    const older = await startReplay([
      { ...recorded[0]!, text: await answer('GetMarkets') },
      { ...recorded[1]!, text: await answer('GetAssets') },
      { ...recorded[2]!, text: await answer('GetGlobalData') },
      { ...recorded[3]!, text: await answer('GetMarketChart') },
      { ...recorded[4]!, text: await answer('GetAssetDetailsFromContract') },
    ])
    const client = clientOf(older.url)
    const source = createCoinGecko({ http: client, ...options, url: `${older.url}/api/v3` })
    const { rows, quarantined, size } = await source.markets(1)
    expect([rows.length, quarantined.length, size]).toEqual([1, 0, 1])
    expect(rows[0]).toMatchObject({ priceUsd: '70187', priceChange1d: null, allTimeLowUsd: '67.81' })
    expect(await source.listings()).toEqual([
      {
        upstreamId: '0chain',
        symbol: 'ZCN',
        name: 'Zus',
        contracts: [
          { blockchain: 'ethereum', address: '0xb9ef770b6a5e12e45983c5d80545258aa38f3b78' },
          { blockchain: 'polygon-pos', address: '0x8bb30e0e67b11b978a5040144c410e1ccddcba30' },
        ],
      },
      { upstreamId: '01coin', symbol: 'ZOC', name: '01coin', contracts: [] },
    ])
    expect((await source.marketTotals()).rows).toMatchObject([
      { marketCapUsd: '2515268352188.766', marketCapChange: '-9.999293796813587', volumeChange: null },
    ])
    const range = { upstreamId: 'bitcoin', fromMs: 1779027899000, toMs: 1779030000000 }
    expect((await source.history(range)).points.map(({ usd }) => usd)).toEqual([
      '69702.3087473573',
      '71246.9514406015',
      '68887.7495158568',
    ])
    const { contracts } = await source.coinDetails('bitcoin')
    const usdc = JSON.parse(await answer('GetAssetDetailsFromContract')) as {
      detail_platforms: Record<string, { decimal_place: number | null }>
    }
    const known = Object.values(usdc.detail_platforms).filter(({ decimal_place }) => decimal_place !== null)
    expect(contracts).toHaveLength(known.length)
    expect(contracts).toContainEqual({
      blockchain: 'optimism',
      address: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
      decimals: 6,
    })
    await client.close()
    older.close()
  })

  test('recordings of this run can be replayed and hold no key', async () => {
    const fixtures = await readFixtures(folder)
    expect(fixtures).toHaveLength(recorded.length)
    expect(JSON.stringify(fixtures)).not.toContain('secret-key')
    const again = await startReplay(fixtures)
    const client = clientOf(again.url)
    const second = createCoinGecko({ http: client, ...options, url: `${again.url}/api/v3` })
    expect(await second.markets(1)).toEqual(await coingecko.markets(1))
    await client.close()
    again.close()
  })
})
