import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, inject } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createKit } from '../../db/account/kits.ts'
import { createShare } from '../../db/account/shares.ts'
import { openDb } from '../../db/connect.ts'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { createTemporal } from '../../web/console/temporal.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { browse } from '../account/browse.ts'
import { CHANGES, FOLLOWS, insertMoney, insertSources, NODES } from '../console/console-data.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { SHARE_PEPPER } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import '../setup/provided.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'

/** A path of the router: `GET /account/keys/:prefix`. */
export interface ServedRoute {
  method: string
  url: string
  /** an endpoint of the API, which answers programs */
  isEndpoint: boolean
}

/** Who visits: their requests, and addresses from which they come to the rest. */
export interface Visitor {
  name: string
  browser: ReturnType<typeof browse>
  from: string[]
  /** Their pages begin with one of these. */
  owns: RegExp
  /** Pages that refuse something, to which no link leads. */
  refusals: string[]
}

const APP = 'https://app.example.com'
const NEWS = 'ab'.repeat(32)

/** A hook that adds what a router serves to a list. */
export const listRoutes =
  (served: ServedRoute[]) =>
  (app: FastifyInstance): void => {
    app.addHook('onRoute', ({ method, url, config }) => {
      // A path has a second route, for the methods that it refuses.
      for (const one of [method].flat())
        if ((config?.allow ?? '').split(', ').includes(one) && /^(GET|POST)$/.test(one))
          served.push({ method: one, url, isEndpoint: config?.row !== undefined })
    })
  }

/**
 * The API with all its pages and something to see on each: a portfolio, a kit, a share, keys, webhooks, an import,
 * an incident, a failed workflow. `served` lists what the router serves, `routeOf` what served an address.
 */
export async function startFilledSite() {
  const database = await testDatabase()
  const served: ServedRoute[] = []
  const routeOf = new Map<string, string>()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'))
  writeFileSync(join(folder, 'api.log'), '{"level":"warn","time":1767225600000,"msg":"a line"}\n')
  const temporalAddress = inject('temporalAddress')
  const temporal = createTemporal({
    address: temporalAddress,
    namespace: 'default',
    uiUrl: null,
    now: () => new Date(),
  })
  const world = await startAccountWorld({
    database,
    routes,
    hasDemo: true,
    hasAgents: true,
    temporal,
    logFolder: folder,
    overrides: {
      webhooks: { sealKey: sealingPublicKey(createSealingKey()), allowed: new Set() },
      watch: [
        listRoutes(served),
        (app) => {
          app.addHook('onRequest', async ({ url, routeOptions }) => {
            routeOf.set(url, routeOptions.url ?? '')
          })
        },
      ],
    },
  })
  const { api, url, issuer, openTo, signIn } = world
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
  const pages = openDb({ url: database.accountUrl, maxConnections: 2, applicationName: 'test' })
  const run = <Row extends object>(sql: string, values: unknown[] = []) =>
    query<Row>(database.ownerUrl, sql, values)
  const owner = await api.newAccount({ plan: 'pro', credits: 100_000 })
  const visitors: Visitor[] = []
  afterAll(async () => {
    await Promise.all([ingest.close(), pages.close(), temporal.close()])
    rmSync(folder, { recursive: true })
  })

  async function fillPortfolio(): Promise<{ portfolioId: string }> {
    const now = new Date()
    const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
    const days = Array.from({ length: 10 }, (_, n) => new Date(midnight - (9 - n) * DAY_MS))
    await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', priceUsd: '50000', at: now })
    const points = days.map((at) => [at, '50000'] as const)
    await insertPrices(api.owner, { coinId: 'bitcoin', resolution: 'day', points })
    await activateNetworks(api.owner, ['ethereum'])
    const portfolios = portfolioWorld(database, { db: api.owner }, ingest, () => new Date())
    const bought = { at: days[4]!, coinId: 'bitcoin', count: 2, priceUsd: 40_000, note: 'Savings' }
    const portfolioId = await portfolios.manualPortfolio(owner.accountId, [bought], { name: 'Savings' })
    await portfolios.wallet(address(1), 'ethereum', [
      { at: days[5]!, coinId: 'bitcoin', amount: 1, priceUsd: 50_000 },
    ])
    await portfolios.walletPortfolio(owner.accountId, address(1), 'ethereum')
    return { portfolioId }
  }

  async function fillConsole(): Promise<string> {
    await insertSources(api.owner)
    const other = await api.newAccount()
    await insertMoney(database.ownerUrl, { big: owner.accountId, small: other.accountId })
    await run(FOLLOWS)
    await run(NODES)
    await run(CHANGES)
    await run(`insert into incidents (rule, subject, severity, summary, since, fired_at)
      values ('SourceLate', 'frankfurter', 'ticket', 'frankfurter gives no usable answer', now(), now())`)
    const client = new Client({ connection: await Connection.connect({ address: temporalAddress }) })
    const started = await client.workflow.start('refreshFiats', {
      workflowId: `pages-${randomUUID()}`,
      taskQueue: 'nobody',
    })
    await started.terminate('so that a page shows it')
    await client.connection.close()
    return started.firstExecutionRunId
  }

  beforeAll(async () => {
    await openTo(owner.accountId)
    await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
    const { portfolioId } = await fillPortfolio()
    const runId = await fillConsole()
    await run(`insert into news_sources (source, name, web_url, feed_url, fetched_at)
      values ('desk', 'Desk', 'https://desk.example', 'https://desk.example/feed', now())`)
    await run(
      `insert into news_items (id, source, link, title, has_content, coin_ids, sentiment,
         sentiment_score, analysis, published_at, fetched_at)
       values ($1, 'desk', 'https://desk.example/1', 'Bitcoin rests', false, '{bitcoin}', 'neutral', 0, 'v1', now(), now())`,
      [NEWS],
    )
    const kitId = await createKit(pages.pool, {
      accountId: owner.accountId,
      name: 'Paper Hands',
      logo: null,
      appearance: 'system',
      accent: '#a0328c',
      mode: 'popup',
      origins: [APP],
      redirectUrls: [],
    })
    const shared = await createShare(pages.pool, {
      accountId: owner.accountId,
      portfolioId,
      passcode: null,
      now: new Date(),
    })
    const guarded = await createShare(pages.pool, {
      accountId: owner.accountId,
      portfolioId,
      passcode: { digits: '123456', pepper: SHARE_PEPPER },
      now: new Date(),
    })
    await api.get('/webhooks', owner.key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://hooks.example.com/in', types: ['test.ping'], wallets: 'all' }),
    })
    const { browser: ownBrowser } = await signIn()
    const { browser: operator } = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
    const imported = await ownBrowser.uploadImport({
      portfolio: portfolioId,
      file: 'date,coin,count,price,currency,note\n2026-01-02,btc,1,40000,USD,\n2026-01-03,nothing,1,,,\n',
    })
    visitors.push(
      {
        name: 'nobody',
        browser: browse(url),
        from: [
          '/',
          '/demo',
          `/p/${shared!}`,
          `/news/${NEWS}`,
          `/connect/${kitId}?callback=${encodeURIComponent(`${APP}/cb`)}`,
          '/account/signed-out',
        ],
        owns: /^\/($|demo|p\/|news\/|connect\/|v1\/|docs|llms|account\/signed-out)/,
        refusals: [`/p/${guarded!}`, '/p/nowhere', '/nowhere', '/connect/nowhere', '/v1/docs/nowhere'],
      },
      {
        name: 'owner',
        browser: ownBrowser,
        from: ['/account', imported.path!],
        owns: /^\/account/,
        refusals: ['/account/nowhere', '/account/keys/nothing', '/console'],
      },
      {
        name: 'operator',
        browser: operator,
        from: ['/console', `/console/workflows/${runId}`],
        owns: /^\/console/,
        refusals: ['/console/nowhere'],
      },
    )
  })

  return { url, served, routeOf, visitors }
}
