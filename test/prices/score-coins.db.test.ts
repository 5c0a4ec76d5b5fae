import { expect, test } from 'vitest'
import { scoreCoins } from '../../db/prices/score-coins.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const NOW = new Date('2026-03-10T12:30:00Z')
const midnight = new Date('2026-03-10T00:00:00Z').getTime()

test('computes scores exactly from volume, capitalisation and thirty daily closes', async () => {
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
  const coin = async (
    id: string,
    values: { volume?: string; cap?: string; closes: number; swing: number },
  ) => {
    const { volume, cap, closes, swing } = values
    await insertCoin(owner.db, {
      id,
      priceUsd: '1',
      at: NOW,
      quote: { ...(volume && { volume_24h_usd: volume }), ...(cap && { market_cap_usd: cap }) },
    })
    const points = Array.from({ length: closes }, (_, n) => {
      return [new Date(midnight - n * DAY_MS), n % 2 === 0 ? '1' : String(1 + swing)] as const
    })
    await insertPrices(owner.db, { coinId: id, resolution: 'day', points })
  }
  await coin('large-calm', { volume: '10000000000', cap: '1000000000000', closes: 400, swing: 0 })
  await coin('small-wild', { volume: '1000', cap: '100000', closes: 400, swing: 0.5 })
  await coin('middling', { volume: '3162277.66016838', cap: '316227766.016838', closes: 40, swing: 0.05 })
  await coin('fifteen-closes', { volume: '1e6', cap: '1e8', closes: 15, swing: 0.01 })
  await coin('fourteen-closes', { volume: '1e6', cap: '1e8', closes: 14, swing: 0.01 })
  await coin('no-volume', { cap: '1e8', closes: 40, swing: 0.01 })
  await coin('no-cap', { volume: '1e6', closes: 40, swing: 0.01 })

  expect(await scoreCoins(ingest.db, { now: NOW })).toBe(4)
  const rows = await query<Record<string, unknown>>(
    database.ownerUrl,
    'select * from coin_risks order by coin_id',
  )
  const scores = Object.fromEntries(rows.map((row) => [row['coin_id'], row]))
  expect(Object.keys(scores)).toEqual(['fifteen-closes', 'large-calm', 'middling', 'small-wild'])
  const calm = {
    liquidity_score: '100.00',
    volatility_score: '0.00',
    market_cap_score: '100.00',
    risk_score: '0.00',
  }
  expect(scores['large-calm']).toMatchObject({ ...calm, avg_change: '0.0000', source: 'derived' })
  const wild = {
    liquidity_score: '0.00',
    volatility_score: '100.00',
    market_cap_score: '0.00',
    risk_score: '100.00',
  }
  expect(scores['small-wild']).toMatchObject(wild)
  expect(scores['middling']).toMatchObject({ liquidity_score: '50.00', market_cap_score: '50.00' })
  // Thirty changes of ln 1.05 up or down: the mean is 0, and the variance divides by n - 1.
  const deviation = Math.log(1.05) * Math.sqrt(30 / 29)
  const volatility = deviation * 1000
  expect(Number(scores['middling']!['volatility_score'])).toBeCloseTo(volatility, 2)
  expect(Number(scores['middling']!['risk_score'])).toBeCloseTo(0.4 * volatility + 30, 1)
  expect(Number(scores['middling']!['avg_change'])).toBeCloseTo((5 + (100 / 1.05) * 0.05) / 2, 3)

  // coin_listings has the scores, and drops those of a delisted coin.
  const listing = () =>
    query(
      database.ownerUrl,
      'select coin_id, risk_score from coin_listings where risk_score is not null order by 1',
    )
  expect(await listing()).toHaveLength(4)
  await query(database.ownerUrl, `update coins set delisted_at = now() where id = 'middling'`)
  expect(await scoreCoins(ingest.db, { now: NOW })).toBe(3)
  expect(await listing()).toHaveLength(3)
  await owner.close()
  await ingest.close()
})

test('coin_listings follows every table it is derived from', async () => {
  const run = (sql: string) => query(database.ownerUrl, sql)
  const listing = async () =>
    (
      await query<Record<string, unknown>>(
        database.ownerUrl,
        `select * from coin_listings where coin_id = 'no-cap'`,
      )
    )[0]!
  await run(
    `update coins set name = 'ÀB', symbol = 'Xy', categories = '{Meme}', rank = 7 where id = 'no-cap'`,
  )
  expect(await listing()).toMatchObject({
    name: 'àb',
    symbol: 'xy',
    categories: expect.arrayContaining(['meme', 'memecoins']),
    rank: 7,
    listed: true,
  })
  await run(`update coin_quotes set market_cap_usd = 5 where coin_id = 'no-cap'`)
  await run(
    `insert into coin_contracts values ('base', '0x1', 'no-cap', 18, 'x', now()), ('base', '0x2', 'no-cap', 18, 'x', now())`,
  )
  expect(await listing()).toMatchObject({ market_cap_usd: '5', blockchains: ['base'] })
  await run(`delete from coin_contracts where coin_id = 'no-cap'`)
  await run(`update coins set delisted_at = now() where id = 'no-cap'`)
  expect(await listing()).toMatchObject({ blockchains: [], listed: false })
})
