import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS, RANGES } from '../../db/values/periods.ts'
import { at, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

// A portfolio of 900 days, in which something is bought or sold each 37 days.

const NOW = at('18T09:30:00')
const DAYS = 900
const SHOWN = 5

const database = await testDatabase()
const overrides = { now: () => NOW }
const { api, url, openTo } = await startAccountWorld({ database, routes, overrides, hasDemo: true })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const { accountId } = await api.newAccount()

beforeAll(async () => {
  await openTo(accountId)
  const midnight = at('18T00:00:00').getTime()
  const days = Array.from({ length: DAYS }, (_, n) => new Date(midnight - (DAYS - 1 - n) * DAY_MS))
  const priceOf = (n: number) => Math.round(30_000 + 10_000 * Math.sin(n / 50) + 10 * n)
  const now = { priceUsd: String(priceOf(DAYS)), at: NOW }
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', ...now })
  const points = days.map((day, n) => [day, String(priceOf(n))] as const)
  await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points })
  const stated = days.flatMap((day, n) =>
    n % 37 === 0
      ? [
          {
            at: new Date(day.getTime() + 5 * 3_600_000),
            coinId: 'bitcoin',
            count: n % 2 === 0 ? 1 : -0.5,
            priceUsd: priceOf(n),
          },
        ]
      : [],
  )
  const world = portfolioWorld(database, { db: api.owner }, ingest, () => NOW)
  await world.manualPortfolio(accountId, stated)
  return () => ingest.close()
})

test.each(RANGES)('each period of %s is explained with the profit that its row says', async (range) => {
  const browser = browse(url)
  const { text } = await browser.get(`/demo?range=${range}`)
  const rows = [...text.matchAll(/<th scope="row"><a href="(\/demo\/explain\?[^"]+)">[\s\S]*?<\/tr>/g)]
  expect(rows.length).toBeGreaterThan(range === '24h' ? 20 : 5)
  expect(rows.length).toBeLessThan(130)
  expect(text.length).toBeLessThan(50_000)
  const chosen = [...rows.slice(0, SHOWN), ...rows.slice(SHOWN).filter((_, n) => n % 17 === 0), rows.at(-1)!]
  for (const [row, link] of chosen) {
    const profit = /([-+]?\$[\d,.]+)<\/td>\s*<\/tr>$/.exec(row)![1]!
    const explained = await browser.get(link!.replaceAll('&#38;', '&'))
    expect([link, explained.status, /<strong>([^<]+)</.exec(explained.text)?.[1]]).toEqual([
      link,
      200,
      profit,
    ])
  }
})
