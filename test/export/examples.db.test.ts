import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { routes } from '../../api/routes.ts'
import { CommandError } from '../../cli/command.ts'
import { openDb } from '../../db/connect.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { readManifest } from '../../export/manifest.ts'
import { runCommand } from '../cli/run-command.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, insertBalance } from '../setup/wallet-factories.ts'
import { askCatalog, compareExamples, EXAMPLES, QUERIES } from './compare-examples.ts'
import { exportWorld } from './export-world.ts'

// The queries of docs/analyst.md return the same figures as the API.

const NOW = new Date('2026-05-03T12:00:00Z')
const database = await testDatabase()
const world = await exportWorld(database)
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const portfolios = portfolioWorld(database, { db: api.owner }, ingest, () => NOW)
const { key, accountId } = await api.newAccount()
const folder = world.newFolder()
let portfolio: string

beforeAll(async () => {
  const days = Array.from({ length: 80 }, (_, day) => new Date(Date.UTC(2026, 1, 12) + day * DAY_MS))
  for (const [id, usd] of [
    ['bitcoin', 50_000.123],
    ['ethereum', 2_000.01],
  ] as const) {
    const points = days.map((day, index) => [day, String(usd + index / 7)] as const)
    await insertCoin(api.owner, { id, symbol: id.slice(0, 3), priceUsd: '3000.000000000000000123', at: NOW })
    await insertPrices(api.owner, { coinId: id, resolution: 'day', points })
  }
  await query(database.ownerUrl, `update coins set symbol = 'btc' where id = 'bitcoin'`)
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  const moved = (at: string, coinId: string, amount: number) => ({
    at: new Date(at),
    coinId,
    amount,
    priceUsd: 2_000,
  })
  const walletId = await portfolios.wallet(address(1), 'ethereum', [
    moved('2026-02-13T06:00:00Z', 'ethereum', 2.123456),
    moved('2026-03-08T06:00:00Z', 'ethereum', -0.333333),
    moved('2026-04-30T06:00:00Z', 'ethereum', 1.000001),
  ])
  portfolio = await portfolios.walletPortfolio(accountId, address(1), 'ethereum')
  const balance = { walletId, networkId: 'ethereum', at: NOW }
  await insertBalance(api.owner, { ...balance, coinId: 'ethereum', raw: '2790124000000000001' })
  await insertBalance(api.owner, {
    ...balance,
    coinId: 'bitcoin',
    raw: '123',
    decimals: 8,
    token: { address: address(7), symbol: 'WBTC' },
  })
  await insertBalance(api.owner, {
    ...balance,
    coinId: 'spam',
    raw: '9',
    token: { address: address(8), spamReason: 'link' },
  })
  await world.run(folder)
  return () => ingest.close()
})

test('the three example queries of the page return what the API returns', async () => {
  expect([...EXAMPLES.keys()]).toEqual(['wallet', 'portfolio', 'coin'])
  const answer = async (path: string) => (await api.get(path, key)).json()
  const asked = { folder, wallet: address(1), portfolio, coin: 'ethereum', answer }
  expect(await compareExamples(asked)).toEqual({ wallet: 2, portfolio: 3, coin: 80 })
})

test.each(QUERIES)(
  'the query of docs/analyst.md in line $line reads columns that are there',
  async ({ text }) => {
    await expect(askCatalog(folder, text)).resolves.toBeDefined()
  },
)

test('verify finds no difference to the API', async () => {
  expect(await world.verify(folder)).toMatchObject({ differences: [], api: { balances: 2, months: 3 } })
})

test('sluice export writes an export, and sluice export verify finds a missing file', async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  const printed: unknown[] = []
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(line))
  try {
    expect(await runCommand('export', '--to', folder)).toBe(0)
    expect(await runCommand('export', 'verify', folder)).toBe(0)
    expect(printed).toContain('export and source agree')
    const { datasets } = (await readManifest(folderTarget(folder)))!
    await rm(join(folder, datasets['pl_days']!.files[0]!.file))
    expect(await runCommand('export', 'verify', folder)).toBe(1)
    expect(printed).toContainEqual(expect.stringMatching(/^DIFFERS  data\/pl_days.*it cannot be read/))
    await expect(runCommand('export', '--to', 'ftp://host')).rejects.toThrow(CommandError)
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
})
