import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../../activities/http.ts'
import { BINANCE_KLINES, createBinance } from '../../../activities/prices/sources/binance-candles.ts'
import { createKraken, KRAKEN_OHLC } from '../../../activities/prices/sources/kraken-ohlc.ts'
import { realdata } from '../../setup/realdata.ts'
import { startReplay } from '../../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const HOUR_MS = 3_600_000
const now = () => new Date('2026-11-02T09:00:00Z')

/** Serves one recorded answer. */
async function replayed(source: string, path: string, body: string) {
  const replay = await startReplay([
    { source, method: 'GET', path, status: 200, contentType: 'application/json', text: body },
  ])
  const http = createHttpClient({
    gate: OPEN_GATE,
    sources: { [source]: { url: replay.url } },
    random: () => 0,
  })
  onTestFinished(async () => {
    await http.close()
    replay.close()
  })
  return { http, url: replay.url, now }
}

describe.skipIf(realdata === null)('recorded candles of exchanges as past prices of coins', () => {
  const read = (path: string) => readFile(join(realdata!, path), 'utf8')
  const symbol = 'BTC'

  test('Kraken: every closed candle of the pair, whose name is not the one asked for', async () => {
    const file = 'jkorf/Kraken.Net/Kraken.Net.UnitTests/Endpoints/Spot/ExchangeData/GetKlines.txt'
    // Three lines precede the answer: method, path and a flag.
    const body = (await read(file)).split('\n').slice(3).join('\n')
    const kraken = createKraken(await replayed(KRAKEN_OHLC, '/0/public/OHLC?pair=XBTUSD&interval=60', body))
    const { points, floorMs } = await kraken.candles({ symbol, resolution: 'hour', fromMs: 0, toMs: 2e12 })
    const rows = (JSON.parse(body) as { result: Record<string, [number, ...string[]][]> }).result['XXBTZUSD']!
    expect(rows.length).toBeGreaterThan(1)
    expect(points.map(({ atMs }) => atMs)).toEqual(rows.map(([openS]) => openS * 1000 + HOUR_MS))
    expect(points.map(({ usd }) => Number(usd))).toEqual(rows.map((row) => Number(row[4])))
    expect(floorMs).toBe(points[0]!.atMs)
  })

  test('Binance: every candle of thirteen answers, each at the instant it ends', async () => {
    const recording = JSON.parse(await read('gocryptotrader/exchanges/binance/testdata/http.json')) as {
      routes: Record<string, { GET: { data: [number, ...unknown[]][] }[] }>
    }
    const answers = recording.routes['/api/v3/klines']!.GET
    expect(answers).toHaveLength(13)
    const path = `/api/v3/klines?symbol=BTCUSDT&interval=1h&startTime=0&endTime=${HOUR_MS}&limit=1000`
    for (const { data } of answers) {
      const binance = createBinance(await replayed(BINANCE_KLINES, path, JSON.stringify(data)))
      const range = { symbol, resolution: 'hour' as const, fromMs: HOUR_MS, toMs: 2 * HOUR_MS }
      const { points } = await binance.candles(range)
      expect(points.map(({ atMs }) => atMs)).toEqual(data.map((row) => (row[6] as number) + 1))
      expect(points.map(({ usd }) => Number(usd))).toEqual(data.map((row) => Number(row[4])))
    }
  })
})
