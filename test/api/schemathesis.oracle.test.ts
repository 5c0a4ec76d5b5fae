import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiDocument, type Parameter } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { seedSandboxCoins } from '../chain/seed-sandbox-coins.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { type Chains, fillChains, startChains } from '../sandbox/chains.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertMarketTotals, insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { installSchemathesis, runSchemathesis } from './schemathesis.ts'

const EXAMPLES = 100
const SEED = 7
const NETWORKS = ['ethereum', 'base-wallet'] as const
const { address } = wallets[0]!

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })
const folder = mkdtempSync(join(tmpdir(), 'sluice-oracle-'))
let chains: Chains | undefined
let program = ''

beforeAll(async () => {
  program = await installSchemathesis()
  const at = new Date()
  await seedSandboxCoins(database.ownerUrl)
  await insertCoin(api.owner, {
    id: 'bitcoin',
    symbol: 'btc',
    name: 'Bitcoin',
    rank: 1,
    priceUsd: '80000.5',
    at,
  })
  await insertRates(api.owner, { currency: 'EUR', rates: [[new Date('2020-01-01'), '0.92']] })
  await insertMarketTotals(api.owner, { at, marketCapUsd: '2000', volume24hUsd: '90', btcDominance: '52.5' })
  chains = await startChains(folder)
  await fillChains(chains, { SANDBOX_SCALE: '0.1', SANDBOX_SEED: '5' })
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  for (const networkId of NETWORKS) {
    const network = await testNetwork(pool, { networkId, url: chains.rpcs[networkId].url })
    await syncDirectly({ pool, network, address })
  }
  await close()
  await query(database.ownerUrl, 'update networks set active = true where id = any($1)', [NETWORKS])
})
afterAll(async () => {
  await chains?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const url = `http://127.0.0.1:${api.port}/v1`
const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as ReturnType<typeof openApiDocument>
// With both ways to send a key it invents one and sends it beside ours.
for (const methods of Object.values(document.paths))
  for (const operation of Object.values(methods))
    operation.security = operation.security.filter((scheme) => 'apiKey' in scheme)

test(`the published description, ${EXAMPLES} examples for each operation`, async () => {
  const result = await runSchemathesis({ program, document, url, key, examples: EXAMPLES, seed: SEED })
  expect(result.report).toMatch(new RegExp(`Tested: ${routes.length}\\b`))
  expect(result.clean, result.report).toBe(true)
})

test('the same with coins and a wallet that have data', async () => {
  for (const methods of Object.values(document.paths))
    for (const { parameters } of Object.values(methods)) parameters.forEach(pin)
  const before = await count('ledger_entries')
  const result = await runSchemathesis({ program, document, url, key, examples: EXAMPLES, seed: SEED })
  expect(result.clean, result.report).toBe(true)
  // Most of these were answered with data.
  expect((await count('ledger_entries')) - before).toBeGreaterThan(routes.length * 20)
})

test('the books balance after all of it', async () => {
  const [row] = await query(
    database.ownerUrl,
    'select (select sum(posted) from credit_periods) = (select sum(credits) from ledger_entries) as balanced',
  )
  expect(row).toEqual({ balanced: true })
})

async function count(table: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    database.ownerUrl,
    `select count(*)::integer as count from ${table}`,
  )
  return row!.count
}

/** Narrows a parameter to values that something is stored for. */
function pin(parameter: Parameter): void {
  const nowS = Math.floor(Date.now() / 1_000)
  const values: Record<string, unknown> = {
    address: { type: 'string', enum: [address] },
    coinId: { type: 'string', enum: ['bitcoin', 'ethereum'] },
    timestamp: { type: 'integer', minimum: nowS - 700 * 86_400, maximum: nowS },
    currency: { type: 'string', enum: ['USD', 'EUR', 'BTC'] },
    connectionId: { type: 'array', items: { enum: ['ethereum', 'base-wallet'] }, minItems: 1 },
    blockchain: { type: 'array', items: { enum: ['ethereum', 'base'] }, minItems: 1 },
    wallets: {
      type: 'array',
      items: { enum: NETWORKS.map((id) => `${id}:${address}`) },
      minItems: 1,
    },
  }
  const schema = values[parameter.name]
  if (schema) parameter.schema = schema as Parameter['schema']
}
