import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes as all } from '../../api/routes.ts'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { keepChoice } from '../../db/account/connect-codes.ts'
import { createKit } from '../../db/account/kits.ts'
import { openDb } from '../../db/connect.ts'
import { demoApi } from '../../cli/first-run/demo-api.ts'
import { demoPortfolios } from '../../cli/first-run/demo-portfolios.ts'
import { setDegen } from '../../db/metering/write.ts'
import { createPortfolio } from '../../db/portfolios/operator.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { share } from '../portfolios/share-probe.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { exampleOf, type Walker } from '../start/examples.ts'
import { hasSubstance } from '../start/has-substance.ts'
import { startFilledWorld } from './filled-world.ts'
import { type KnownPortfolios, narrowToKnown, type Spare } from './known-values.ts'
import { startPayingProxy } from './paying-proxy.ts'
import { installSchemathesis, runSchemathesis } from './schemathesis.ts'

/** Streams do not end. */
const routes = all.filter(({ kind }) => kind !== 'stream')
const EXAMPLES_EACH = 100
/** Fewer, because paying takes longer than everything else. */
const PAID_EXAMPLES_EACH = 30
/** Of everything that an operation uses up. */
const SPARE = 30
const SEED = 7
/** Wallets and exchange accounts that nobody asked for before answer 503 until the worker has read them. */
const FIRST_READS = '^/(wallet|nft/wallet|portfolio/exchange)(/|$)'
const addresses = wallets
  .filter(({ label }) => ['DeFi', 'Collector'].includes(label))
  .map(({ address }) => address)

const database = await testDatabase()
const { vault, fill } = await startFilledWorld(database)
const webhooks = { sealKey: sealingPublicKey(createSealingKey()), allowed: new Set<string>() }
const api = await startApi({ database, routes, overrides: { vault, webhooks } })
const account = () => api.newAccount({ plan: 'enterprise', credits: 4_000_000_000_000_000 })
const [stranger, customer] = [await account(), await account()]
const url = `http://127.0.0.1:${api.port}/v1`
const facilitator = await startFacilitator()
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  // A fast clock, because here all invalid payments come from one address and would be rate-limited.
  overrides: { monotonicMs: () => Date.now() * 1_000 },
})
const payer = await facilitator.newPayer({ usdc: 1_000_000 })
const proxy = await startPayingProxy({ port: gateway.port, payer })
afterAll(async () => {
  await proxy.stop()
  await facilitator.stop()
})
let program = ''
let portfolios: KnownPortfolios
let spare: Spare
let shareTokens: string[]

beforeAll(async () => {
  program = await installSchemathesis()
  const exchange = await fill({ wallets: addresses, accountId: customer.accountId })
  const { accountId, key } = customer
  const wallet = { address: addresses[0]!, connectionId: 'ethereum' }
  const deadlineMs = Date.now() + 120_000
  const made = await demoPortfolios({
    send: demoApi({ apiUrl: url, key, deadlineMs }),
    key,
    db: api.owner,
    deadlineMs,
    wallet,
  })
  const manual = made?.find(({ portfolioType }) => portfolioType === 'manual')?.portfolioId
  if (!made || !manual) throw new Error('the portfolios were not computed within 120 s')
  const toDelete: string[] = []
  for (let n = 0; n < SPARE; n++) {
    const made = await createPortfolio(api.owner, { accountId, name: `To delete ${n}`, now: new Date() })
    toDelete.push(made.portfolioId)
  }
  portfolios = { exchange, manual, all: made.map((portfolio) => portfolio.portfolioId), toDelete }
  await setDegen(api.owner, { accountId, degen: true })
  const endpoint = await publishPing()
  spare = { alerts: await addAlerts(), connectCodes: await connectCodes(accountId), endpoints: [endpoint] }
  for (let n = 0; n < SPARE; n++)
    await send('POST', '/portfolio/transaction', {
      portfolioId: manual,
      coinId: 'bitcoin',
      count: 0.01,
      date: Date.now() - (n + 1) * DAY_MS,
    })
  const shares = portfolios.all.map((portfolioId) => share(api, { portfolioId }))
  shareTokens = (await Promise.all(shares)).map(({ token }) => token)
})

const send: Walker['send'] = async (method, target, body) => {
  const headers = { 'content-type': 'application/json' }
  const response = await api.get(target, customer.key, {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function addAlerts(): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < SPARE; n++) {
    const alert = { type: 'coin.price', coinId: 'bitcoin', above: 10_000_000 + n }
    ids.push((await send('POST', '/alerts', alert)).body.id)
  }
  return ids
}

/** Codes of users who have chosen a wallet, valid for an hour, because the run takes longer than 10 minutes. */
async function connectCodes(accountId: string): Promise<string[]> {
  const { pool, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const kitId = await createKit(pool, {
    accountId,
    name: 'Paper Hands',
    logo: null,
    appearance: 'system',
    accent: '#a0328c',
    mode: 'popup',
    origins: [],
    redirectUrls: [],
  })
  const wallet = { address: addresses[1]!, networkId: 'ethereum' } as const
  const codes: string[] = []
  for (let n = 0; n < SPARE; n++) {
    const choice = { kitId: kitId!, portfolioId: randomUUID(), wallet, existed: false, nonce: null }
    codes.push((await keepChoice(pool, choice))!)
  }
  await pool.query(`update connect_codes set expires_at = now() + interval '1 hour'`)
  await close()
  return codes
}

/** An endpoint, whose id it returns, and an event for both lists of events to answer with. */
async function publishPing(): Promise<string> {
  const endpoint = { url: 'https://hooks.example.com/in', types: ['test.ping'], wallets: 'all' }
  const { body } = await send('POST', '/webhooks', endpoint)
  expect(await send('POST', `/webhooks/${body.id}/test`)).toMatchObject({ status: 200 })
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
  await publishBatch({ pool })
  await close()
  return body.id
}

/**
 * The published OpenAPI document with only one way to send a key. With both, schemathesis would invent a
 * second key.
 */
function description(): ReturnType<typeof openApiDocument> {
  const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as ReturnType<typeof openApiDocument>
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods))
      operation.security = operation.security.filter((scheme) => 'apiKey' in scheme)
  return document
}

type Mode = { mode: 'all' | 'positive' }
const run = (options: { document: unknown; key: string; firstReads?: string } & Mode) =>
  runSchemathesis({ ...options, program, url, examples: EXAMPLES_EACH, seed: SEED })
const runPaid = (options: { document: unknown } & Mode) =>
  runSchemathesis({ ...options, program, url: proxy.url, examples: PAID_EXAMPLES_EACH, seed: SEED })
const sold = routes.filter(({ x402 }) => x402 !== null)
const soldDescription = async () =>
  (await (await gateway.get('/openapi.json')).json()) as ReturnType<typeof openApiDocument>

test('every GET endpoint has data to answer with', async () => {
  const empty: string[] = []
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    const answers = await Promise.all(
      addresses.map(async (wallet) => {
        const target = await exampleOf(path)({ wallet, send })
        return target !== null && hasSubstance((await send('GET', target)).body)
      }),
    )
    if (!answers.includes(true)) empty.push(path)
  }
  expect(empty).toEqual([])
})

// Both run concurrently, because most of the time goes into generating requests, one core each.
test.concurrent(`the API conforms to its OpenAPI document, ${EXAMPLES_EACH} examples per operation`, async () => {
  const document = description()
  const result = await run({ document, key: stranger.key, mode: 'all', firstReads: FIRST_READS })
  expect(result.report).toMatch(new RegExp(`Tested: ${routes.length}\\b`))
  expect(result.clean, result.report).toBe(true)
})

// Values outside of these lists may be valid as well, so only the other run tests invalid values.
test.concurrent('the API conforms for values with stored data', async () => {
  const document = description()
  await narrowToKnown(document, { ownerUrl: database.ownerUrl, wallets: addresses, portfolios, spare })
  const result = await run({ document, key: customer.key, mode: 'positive' })
  expect(result.report).toMatch(new RegExp(`Tested: ${routes.length}\\b`))
  expect(result.clean, result.report).toBe(true)
})

test('every operation was answered with data many times, and the credit ledger balances', async () => {
  const charged = await query<{ endpoint: string; count: number }>(
    database.ownerUrl,
    'select endpoint, count(*)::integer as count from ledger_entries where account_id = $1 group by 1',
    [customer.accountId],
  )
  const answers = new Map(charged.map(({ endpoint, count }) => [endpoint, count]))
  const priced = routes
    .filter((route) => !route.public && route.credits > 0)
    .map(({ method, path }) => `${method} ${path}`)
  // Operations without parameters have only a handful of different requests.
  expect(priced.filter((endpoint) => (answers.get(endpoint) ?? 0) < 4)).toEqual([])
  expect([...answers.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(priced.length * 60)
  const [books] = await query(
    database.ownerUrl,
    'select (select sum(posted) from credit_periods) = (select sum(credits) from ledger_entries) as balanced',
  )
  expect(books).toEqual({ balanced: true })
})

test('the gateway has data for shared portfolios', async () => {
  const targets = sold.filter(({ path }) => path.startsWith('/portfolio/')).map(({ path }) => path)
  for (const path of targets) {
    const search = { '/portfolio/chart': '?type=1y', '/portfolio/transactions': '?currency=USD' }[path] ?? ''
    const answers: [number, string][] = []
    for (const sharetoken of shareTokens) {
      const response = await fetch(`${proxy.url}${path}${search}`, { headers: { sharetoken } })
      answers.push([response.status, (await response.text()).slice(0, 300)])
    }
    expect([path, answers.map(([status]) => status), answers]).toEqual([
      path,
      expect.arrayContaining([200]),
      expect.anything(),
    ])
  }
})

// This includes invalid payments, which the document allows.
test.concurrent(`the gateway conforms to its OpenAPI document when every call is paid`, async () => {
  const result = await runPaid({ document: await soldDescription(), mode: 'all' })
  expect(result.report).toMatch(new RegExp(`Tested: ${sold.length}\\b`))
  expect(result.clean, result.report).toBe(true)
})

test.concurrent('the gateway conforms for values with stored data', async () => {
  const document = await soldDescription()
  await narrowToKnown(document, { ownerUrl: database.ownerUrl, wallets: addresses, portfolios, spare })
  for (const { get } of Object.values(document.paths)) {
    get!.parameters = get!.parameters.filter(
      ({ in: place, name }) => place !== 'header' || name === 'sharetoken',
    )
    for (const parameter of get!.parameters)
      if (parameter.name === 'sharetoken')
        Object.assign(parameter, { schema: { type: 'string', enum: shareTokens }, required: true })
    // A share shows only one portfolio.
    get!.parameters = get!.parameters.filter(({ name }) => name !== 'portfolioId')
  }
  const result = await runPaid({ document, mode: 'positive' })
  expect(result.report).toMatch(new RegExp(`Tested: ${sold.length}\\b`))
  expect(result.clean, result.report).toBe(true)
})

test('every path was sold many times, each time at its price', async () => {
  const templates = sold.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
  const times = templates.map((template) => proxy.paid.filter((path) => template.test(path)).length)
  expect(sold.filter((_, i) => times[i]! < 3).map(({ path }) => path)).toEqual([])
  const [books] = await query<{ settled: number; units: string; open: number }>(
    database.ownerUrl,
    `select count(*) filter (where state = 'settled')::int as settled,
       sum(amount) filter (where state = 'settled') as units,
       count(*) filter (where state not in ('settled', 'failed'))::int as open from payments`,
  )
  expect(books).toMatchObject({ settled: proxy.paid.length, open: 0 })
  expect(await facilitator.usdcOf(PAY_TO)).toBe(BigInt(books!.units))
})
