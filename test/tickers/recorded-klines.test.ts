import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createBinanceKlines } from '../../activities/tickers/sources/binance-klines.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
interface Recording {
  routes: Record<string, { GET: { queryString: string; data: unknown }[] }>
}

describe.skipIf(realdata === null)('recorded candles of Binance read by the adapter', async () => {
  if (realdata === null) return
  const file = join(realdata, 'gocryptotrader/exchanges/binance/testdata/http.json')
  const { routes } = JSON.parse(await readFile(file, 'utf8')) as Recording
  const recorded = routes['/api/v3/klines']!.GET
  const at = (n: number) =>
    `/api/v3/klines?symbol=CASE${n}USDT&interval=1h&startTime=0&endTime=${2e12}&limit=1000`
  const replay = await startReplay(
    [...recorded.map(({ data }) => data), { code: -1121, msg: 'Invalid symbol.' }].map((data, n) => ({
      source: 'binance-klines',
      method: 'GET' as const,
      path: at(n),
      contentType: 'application/json',
      status: Array.isArray(data) ? 200 : 400,
      text: JSON.stringify(data),
    })),
  )
  const sources = { 'binance-klines': { url: replay.url } }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  const klines = createBinanceKlines({ http, url: replay.url })
  const hours = (n: number) => klines.hours({ base: `CASE${n}`, target: 'USDT', fromMs: 0, toMs: 2e12 })
  afterAll(async () => {
    await http.close()
    replay.close()
  })

  test('reads every candle as one close at the instant it ends', async () => {
    let candles = 0
    for (const [n, { data }] of recorded.entries()) {
      const { rows, quarantined } = await hours(n)
      expect([rows.length, quarantined.length]).toEqual([(data as unknown[]).length, 0])
      candles += rows.length
    }
    expect([recorded.length, candles]).toEqual([13, 3396])
    expect((await hours(0)).rows[0]).toEqual({ at: new Date(1586987700000), pairPrice: '6727.14' })
  })

  test('throws for a market that Binance does not have', async () => {
    await expect(hours(recorded.length)).rejects.toThrow(/error -1121: Invalid symbol/)
  })
})
