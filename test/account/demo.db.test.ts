import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { unlinkIdentity } from '../../db/metering/write.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'
import { readAccountConfig } from '../../web/account/config.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

const database = await testDatabase()
const { api, url, issuer, openTo } = await startAccountWorld({ database, routes, hasDemo: true })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const [demo, other] = [await api.newAccount(), await api.newAccount()]
const stranger = browse(url)
let portfolioOfOther: string

beforeAll(async () => {
  await openTo(demo.accountId)
  const now = new Date()
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', priceUsd: '50000', at: now })
  await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points: [[midnight, '50000']] })
  const world = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
  const bought = { at: new Date(Date.now() - 3_600_000), coinId: 'bitcoin', count: 2, priceUsd: 40_000 }
  await world.manualPortfolio(demo.accountId, [bought], { name: 'Demo savings' })
  portfolioOfOther = await world.manualPortfolio(other.accountId, [bought], { name: 'Secret savings' })
  return () => ingest.close()
})

test('everybody sees the portfolios of the demo account without sign-in, and those of nobody else', async () => {
  const { status, text } = await stranger.get('/demo')
  expect([status, text]).toEqual([200, expect.stringContaining('$100,000.00')])
  expect(text).toContain('Wallets, trades and prices are invented.')
  expect(text).not.toContain('Secret savings')
  for (const page of ['/demo/transactions', '/demo/coin?coinId=bitcoin', '/demo/positions', '/demo/report'])
    expect((await stranger.get(page)).status).toBe(200)
  const foreign = await stranger.get(`/demo?portfolio=${portfolioOfOther}`)
  expect([foreign.status, foreign.text]).toEqual([404, expect.not.stringContaining('Secret savings')])
  expect((await stranger.get('/account')).status).toBe(401)
  expect((await stranger.post('/demo', {})).status).toBe(405)
  expect(stranger.cookies.size).toBe(0)
})

test('links of the demo stay in the demo', async () => {
  const { text } = await stranger.get('/demo')
  const links = [...text.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, link]) => link!.split(/[?#]/)[0])
  expect(new Set(links.filter((link) => link!.startsWith('/')))).toEqual(
    new Set([
      '/demo',
      '/demo/transactions',
      '/demo/explain',
      '/demo/coin',
      '/demo/positions',
      '/account/sign-in',
    ]),
  )
})

test('before the demo account is linked, the page says so', async () => {
  await unlinkIdentity(api.owner, { issuer, subject: DEMO_SUBJECT })
  const { status, text } = await stranger.get('/demo')
  expect([status, text]).toEqual([404, expect.stringContaining('The demo account is not there yet.')])
  await openTo(demo.accountId)
})

test('the page at / leads people to pages, and programs to addresses', async () => {
  const page = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(await page.text()).toMatch(/href="\/account"[\s\S]*href="\/demo"[\s\S]*href="\/v1\/docs"/)
  const answer = await fetch(url)
  expect(answer.headers.get('vary')).toContain('accept')
  const places = (await answer.json()) as Record<string, string>
  expect(places).toMatchObject({ name: 'Sluice', account: '/account', demo: '/demo' })
  for (const path of [places['docs']!, places['openapi']!, places['llms']!, places['status']!])
    expect((await fetch(url + path)).status).toBe(200)
})

test('a demo is refused where sources are live', () => {
  const env = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
    ACCOUNT_DATABASE_URL: database.accountUrl,
    ACCOUNT_URL: url,
    ACCOUNT_SECRET: '0123456789abcdef',
    DEMO_SUBJECT,
  }
  expect(readAccountConfig({ ...env, SOURCES: 'sandbox' })).toMatchObject({ demoSubject: DEMO_SUBJECT })
  expect(() => readAccountConfig({ ...env, SOURCES: 'live' })).toThrow('DEMO_SUBJECT opens an account')
})
