import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeNetworks } from '../../activities/active-networks.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { routes } from '../../api/routes.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { demoApi, type Send } from '../../cli/first-run/demo-api.ts'
import { demoExchange } from '../../cli/first-run/demo-exchange.ts'
import { demoPortfolios } from '../../cli/first-run/demo-portfolios.ts'
import { openDb } from '../../db/connect.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'
import { exampleOf } from './examples.ts'
import { hasSubstance } from './has-substance.ts'

// The portfolios that the first run creates for the demo account, and every read under /portfolio.

const database = await testDatabase()
const sealingKey = createSealingKey()
const { deps } = await startSandboxWorld(database, { env: { EXCHANGE_KEYS: sealingKey }, clockRuns: true })
const activities = createActivities(deps)
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const vault = createVault({ pool: meter.pool, publicKey: sealingPublicKey(sealingKey), waitMs: 60_000 })
const api = await startApi({ database, routes, overrides: { vault, sandbox: true } })
const { key } = await api.newAccount({ plan: 'pro' })
const stops: (() => unknown)[] = [() => meter.close()]

beforeAll(async () => {
  await markActiveNetworks(deps.db, activeNetworks(deps.config))
  await activities.refreshQuotes()
  await activities.refreshFiats()
  await activities.refreshListings()
  const worker = await startDispatchingWorker({ taskQueue: 'demo-test', activities, deps })
  stops.push(() => worker.stop())
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

test('creates three portfolios once, and every read has data for them', async () => {
  const apiUrl = `http://127.0.0.1:${api.port}/v1`
  const deadlineMs = Date.now() + 200_000
  const run = { send: demoApi({ apiUrl, key, deadlineMs }), key, db: api.owner, deadlineMs }
  const exchangeId = await demoExchange(run)
  const wallet = { address: bitcoinWallets[0]!.name, connectionId: 'bitcoin' }
  const portfolios = await demoPortfolios({ ...run, wallet })
  expect(portfolios).toEqual([
    { portfolioId: exchangeId, portfolioName: 'Demo', portfolioType: 'exchange' },
    { portfolioId: expect.any(String), portfolioName: 'Demo wallet', portfolioType: 'wallet' },
    { portfolioId: expect.any(String), portfolioName: 'By hand', portfolioType: 'manual' },
  ])
  // The next start finds them and writes nothing.
  const written: string[] = []
  const send: Send = (method, path, body) => {
    if (method !== 'GET') written.push(path)
    return run.send(method, path, body)
  }
  expect(await demoExchange({ ...run, send })).toBe(exchangeId)
  expect(await demoPortfolios({ ...run, send, wallet })).toEqual(portfolios)
  expect(written).toEqual([])

  const ask = async (method: string, target: string) => {
    const response = await api.get(target, key, { method })
    return { status: response.status, body: await response.json() }
  }
  const reads = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/portfolio/'))
  expect(reads.length).toBeGreaterThan(8)
  for (const { path } of reads) {
    const target = (await exampleOf(path)({ wallet: '', send: ask }))!
    const { status, body } = await ask('GET', target)
    // Nobody has positions in protocols on Bitcoin.
    expect([path, status, hasSubstance(body)]).toEqual([path, 200, path !== '/portfolio/defi'])
  }
  const { body } = await ask('GET', '/portfolio/transactions?currency=EUR&limit=100&coinId=bitcoin')
  const noted = (body as any).data.filter(({ note }: { note?: string }) => note !== undefined)
  expect(noted.map(({ note, transactionType }: any) => [note, transactionType])).toEqual([
    ['For the holidays', 'Sell'],
    ['The first one', 'Buy'],
  ])
})
