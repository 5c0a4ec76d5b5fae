import { afterAll, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { createCoinPaprika } from '../../activities/prices/sources/coinpaprika.ts'
import { startReplay } from '../setup/replay.ts'

/** CoinPaprika's answer: numbers without quotes, dates as text, `last_updated` in Unix seconds. */
const answer = {
  market_cap_usd: 2987654321098,
  volume_24h_usd: 149876543210,
  bitcoin_dominance_percentage: 58.07,
  cryptocurrencies_number: 10987,
  market_cap_ath_value: 4321098765432,
  market_cap_ath_date: '2025-10-07T05:15:00Z',
  volume_24h_ath_value: 33210987654321,
  volume_24h_ath_date: '2021-10-22T12:50:00Z',
  volume_24h_percent_from_ath: -99.55,
  volume_24h_percent_to_ath: 9999.99,
  market_cap_change_24h: -1.86,
  volume_24h_change_24h: 16.98,
  last_updated: 1779878351,
}
const totals = {
  at: new Date('2026-05-27T10:39:11Z'),
  marketCapUsd: '2987654321098',
  volume24hUsd: '149876543210',
  btcDominance: '58.07',
  marketCapChange: '-1.86',
  volumeChange: '16.98',
}

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function read(text: string) {
  const common = { source: 'coinpaprika', method: 'GET' as const, contentType: 'application/json' }
  const replay = await startReplay([{ ...common, path: '/v1/global', status: 200, text }])
  const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  const http = createHttpClient({ gate, sources: { coinpaprika: { url: replay.url } }, random: () => 0 })
  stops.push(http.close, replay.close)
  return createCoinPaprika({ http, url: `${replay.url}/v1`, key: null, now: () => new Date() }).marketTotals()
}

test('reads the market totals exactly, also without changes', async () => {
  expect(await read(JSON.stringify(answer))).toEqual({ rows: [totals], quarantined: [] })
  const silent = { ...answer, market_cap_change_24h: undefined, volume_24h_change_24h: null }
  expect(await read(JSON.stringify(silent))).toEqual({
    rows: [{ ...totals, marketCapChange: null, volumeChange: null }],
    quarantined: [],
  })
  const large = JSON.stringify(answer).replace('2987654321098', '2987654321098.123456789')
  expect((await read(large)).rows).toMatchObject([{ marketCapUsd: '2987654321098.123456789' }])
})

test.each([
  ['bitcoin_dominance_percentage', 0, /is not above zero/],
  ['bitcoin_dominance_percentage', -58.07, /is not above zero/],
  ['bitcoin_dominance_percentage', 100.01, /is above 100 %/],
  ['bitcoin_dominance_percentage', 'NaN', /not a decimal/],
  ['bitcoin_dominance_percentage', null, /invalid input/i],
  ['market_cap_usd', 0, /is not above zero/],
  ['market_cap_usd', 'Infinity', /not a decimal/],
  ['volume_24h_usd', 0, /is not above zero/],
  ['volume_24h_usd', '', /not a decimal/],
  ['last_updated', 0, /not a plausible time/],
  ['last_updated', 1779878351000, /not a plausible time/],
  ['last_updated', '2026-05-27T10:39:11Z', /not a plausible time/],
])('quarantines the whole answer when %s is %j', async (field, value, reason) => {
  const payload = { ...answer, [field]: value }
  const { rows, quarantined } = await read(JSON.stringify(payload))
  expect(rows).toEqual([])
  expect(quarantined).toEqual([{ reason: expect.stringMatching(reason), payload }])
  expect(quarantined[0]!.reason).toMatch(new RegExp(`^${field}: `))
})

test.each(['[]', 'null', '{"error":"invalid parameters"}'])('quarantines the answer %s', async (text) => {
  const { rows, quarantined } = await read(text)
  expect([rows, quarantined.length]).toEqual([[], 1])
})
