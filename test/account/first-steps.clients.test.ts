import { expect, inject, test } from 'vitest'
import { readSecrets } from '../../cli/secrets.ts'
import { readPage, sectionOf } from '../docs/read-page.ts'
import { untilServed } from '../setup/until-served.ts'
import { openBrowser } from './browser.ts'
import { followSteps } from './first-steps.ts'

// An owner follows docs/account.md on a fresh installation, whose worker and sources are the real parts of `npm start`.

const { url, home, key } = inject('installation')
const { newPage, expectNoOffence } = await openBrowser()
const section = sectionOf(readPage('docs/account.md'), 'First steps')

async function ask(path: string, method = 'GET'): Promise<any> {
  const headers = { 'X-API-KEY': key }
  const response = await untilServed(() => fetch(`${url}${path}`, { method, headers }))
  const body = await response.json()
  expect([path, response.status, body]).toEqual([path, 200, expect.anything()])
  return body
}

/** Ids of the portfolios of the demo account by name. */
async function portfolios(): Promise<Map<string, string>> {
  const { result } = (await ask('/portfolio/list')) as {
    result: { portfolioId: string; portfolioName: string }[]
  }
  return new Map(result.map(({ portfolioId, portfolioName }) => [portfolioName, portfolioId]))
}

/** An owner reloads until the page names nothing that is still being read. */
async function untilSynced(): Promise<void> {
  for (const [name, id] of await portfolios()) {
    const state = async () => [name, (await ask(`/portfolio/status?portfolioId=${id}`)).status]
    await expect.poll(state, { timeout: 300_000, interval: 1_000 }).toEqual([name, 'synced'])
  }
}

test('an owner connects, imports, sees, explains and exports on a fresh installation', async () => {
  const before = await portfolios()
  const page = await newPage({ width: 1_200 })
  const { steps, files } = await followSteps(page, {
    section,
    url: new URL(url).origin,
    values: { PASSWORD: readSecrets(home)!.demoPassword },
    beforeOpen: untilSynced,
  })
  expect(steps).toBeGreaterThan(20)
  expect(files).toHaveLength(1)
  const after = await portfolios()
  const made = [...after].filter(([name]) => !before.has(name))
  expect(made).toHaveLength(2)
  const paper = after.get('Paper')!
  // The demo account has transactions of its own.
  expect(files[0]).toMatch(/^2026-01-02T10:00:00[^,]*,bitcoin,0\.5,40000,USD,The first one,Paper$/m)
  expect(files[0]).toMatch(/^2026-03-04T10:00:00[^,]*,bitcoin,-0\.2,50000,USD,For the holidays,Paper$/m)
  const { result } = await ask(`/portfolio/coins?portfolioId=${paper}`)
  expect(result).toMatchObject([{ coin: { identifier: 'bitcoin' }, count: 0.3, totalCost: { USD: 12_000 } }])
  const explained = await ask(`/portfolio/explain?portfolioId=${paper}&coinId=bitcoin`)
  expect(explained.figure.profit.realized.USD).toBe('2000')
  // The demo account belongs to the other tests too.
  for (const [, id] of made) await ask(`/portfolio/${id}`, 'DELETE')
  expectNoOffence()
})
