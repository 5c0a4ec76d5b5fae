import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { readPage, sectionOf } from '../docs/read-page.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { PASSWORD, startAccountWorld } from './account-world.ts'
import { openBrowser } from './browser.ts'
import { followSteps } from './first-steps.ts'

const database = await testDatabase()
const { api, url, openTo } = await startAccountWorld({ database, routes })
const { newPage, expectNoOffence } = await openBrowser()
const section = sectionOf(readPage('docs/account.md'), 'First steps')

const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())

beforeAll(async () => {
  await activateNetworks(api.owner, ['ethereum'])
  const now = new Date()
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', priceUsd: '60000', at: now })
  const first = Date.parse('2026-01-01')
  const points = Array.from(
    { length: Math.ceil((now.getTime() - first) / DAY_MS) },
    (_, n) => [new Date(first + n * DAY_MS), '60000'] as const,
  )
  await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points })
  return () => ingest.close()
})

/** What the worker does after each change. */
async function compute(accountId: string): Promise<void> {
  const own = await query<{ id: string }>(
    database.ownerUrl,
    `select id from portfolios where account_id = $1 and kind = 'manual'`,
    [accountId],
  )
  for (const { id } of own) await world.recompute(id)
  await world.settle(accountId)
}

const VIEWS: [how: string, view: Parameters<typeof newPage>[0]][] = [
  ['with scripts', { width: 1_200 }],
  ['without scripts, on a phone', { width: 360, javaScriptEnabled: false }],
]

test.each(VIEWS)(
  'an owner connects, imports, sees, explains and exports as docs/account.md says, %s',
  async (_how, view) => {
    const { accountId } = await api.newAccount({ plan: 'pro' })
    await query(database.ownerUrl, 'delete from identities')
    await openTo(accountId)
    const page = await newPage(view)
    const values = { PASSWORD }
    const { steps, files } = await followSteps(page, {
      section,
      url,
      values,
      beforeOpen: () => compute(accountId),
    })
    expect(steps).toBeGreaterThan(20)
    expect(files).toHaveLength(1)
    for (const note of ['The first one', 'For the holidays']) expect(files[0]).toContain(note)
    expectNoOffence()
  },
)
