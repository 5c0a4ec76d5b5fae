import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Fixture } from '../../activities/record-fixture.ts'
import { CommandError, UsageError } from '../../cli/command.ts'
import { toJson } from '../../cli/print.ts'
import { createAccount } from '../../db/metering/write.ts'
import { openDb } from '../../db/connect.ts'
import { FOLLOWS, insertSources } from '../console/console-data.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { runCommand } from './run-command.ts'

// Calls the commands without a process; test/cli/command-table.test.ts starts processes.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const folder = mkdtempSync(join(tmpdir(), 'sluice-operator-'))
const rows = <T extends object>(text: string, values: unknown[] = []) =>
  query<T>(database.ownerUrl, text, values)
let refusedIds: Awaited<ReturnType<typeof insertSources>>

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('SLUICE_HOME', join(folder, 'home'))
  vi.stubEnv('EXPORT_TO', join(folder, 'export'))
  vi.stubEnv('TEMPORAL_ADDRESS', '')
  refusedIds = await insertSources(owner.db)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  await owner.close()
  rmSync(folder, { recursive: true })
})

/** Runs a command and returns its exit code and output. */
async function run(...args: [string, ...string[]]): Promise<{ code: number; text: string }> {
  const printed: unknown[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line))
  try {
    return { code: await runCommand(...args), text: printed.join('\n') }
  } finally {
    log.mockRestore()
  }
}

async function json<T = any>(...args: [string, ...string[]]): Promise<T> {
  return JSON.parse((await run(...args, '--json')).text) as T
}

test('status shows what the console shows, as text and JSON, and exits with 1 when something is bad', async () => {
  const { code, text } = await run('status')
  expect(code).toBe(1)
  expect(text).toMatch(/FAIL {2}Sources +4 on +1 late, 0 failing, 1 paused, 1 off/)
  expect(text).toMatch(/ok {4} *Database +Postgres 18/)
  expect(text).toContain('Temporal does not answer')
  const status = await json('status')
  expect(status.figures.map(({ name }: { name: string }) => name)).toEqual([
    'Sources',
    'Errors, 24 h',
    'Schedules',
    'First ingestion',
    'Workflows',
    'Sync queue',
    'Quarantine',
  ])
  expect(status).toMatchObject({
    services: null,
    workflows: null,
    exportedAt: null,
    openPayments: [],
    queue: { commands: 0 },
    database: { problem: null },
  })
  expect(status.sources).toHaveLength(5)
})

test('sources says what the worker runs with, whatever keys this shell has', async () => {
  vi.stubEnv('SOURCES', 'live')
  vi.stubEnv('OPENSEA_API_KEY', 'a key that the worker does not have')
  try {
    const { sources } = await json('sources')
    const found = sources.find(({ source }: { source: string }) => source === 'opensea')
    expect(found).toMatchObject({ state: 'off', missing: 'OPENSEA_API_KEY' })
    expect((await run('sources')).text).toContain('off: set OPENSEA_API_KEY')
    // Each is known once the worker has stored it.
    expect(sources).toHaveLength(5)
    await rows(`insert into source_hours values ('decrypt', date_trunc('hour', now(), 'UTC'), 3, 3)`)
    const failing = await json('sources')
    expect(failing.sources).toContainEqual(expect.objectContaining({ source: 'decrypt', state: 'failing' }))
  } finally {
    vi.stubEnv('SOURCES', undefined)
    vi.stubEnv('OPENSEA_API_KEY', undefined)
  }
})

test('sources lists the followed networks', async () => {
  expect((await run('sources')).text).not.toContain('Followed networks')
  await rows(FOLLOWS)
  const { text } = await run('sources')
  expect(text).toMatch(/^ethereum +blocks +receipts +1200 +1207 +7 +eth\.node\.example +2 +1 +\d s ago/m)
  expect(text).toMatch(/^base-wallet +off .*never +rpc:base-wallet: 403/m)
  expect((await json('sources')).follows).toMatchObject([
    { networkId: 'ethereum', confirmedBlock: 1_140 },
    { networkId: 'base-wallet', mode: 'off' },
  ])
})

test('quarantine counts by reason, lists by source, shows, retries and drops rows', async () => {
  const counts = await json<{ source: string; rows: number }[]>('quarantine', 'list')
  const stored = await rows<{ n: number }>('select count(*)::int as n from quarantine')
  expect(counts.reduce((sum, one) => sum + one.rows, 0)).toBe(stored[0]!.n)
  const listed = await json<{ id: string; activity: string | null }[]>(
    'quarantine',
    'list',
    '--source',
    'coingecko',
  )
  expect(listed.length).toBeGreaterThan(0)
  const again = listed.find(({ activity }) => activity !== null)!
  expect((await json('quarantine', 'show', again.id)).payload).toMatchObject({ id: 'evil' })
  expect((await run('quarantine', 'show', again.id)).text).toContain('refreshQuotes')

  expect(await json('quarantine', 'retry', again.id)).toEqual({ asked: 1, left: 0 })
  const [message] = await rows('select workflow, input from outbox')
  expect(message).toEqual({ workflow: 'retryQuarantined', input: { id: again.id } })
  await expect(run('quarantine', 'retry', again.id)).rejects.toThrow('nothing was retried')
  await expect(run('quarantine', 'retry')).rejects.toThrow(UsageError)

  const some = ['quarantine', 'drop', '--source', 'coingecko'] as const
  expect((await run(...some, '--dry-run')).text).toBe(`${listed.length} rows would be deleted`)
  expect(await json(...some)).toEqual({ dropped: listed.length, dryRun: false })
  expect(await json('quarantine', 'list', '--source', 'coingecko')).toEqual([])
  await expect(run('quarantine', 'drop')).rejects.toThrow('give an ID, a --source or a --reason')
  await expect(run('quarantine', 'show', '999999')).rejects.toThrow(CommandError)
  expect(refusedIds).toBeDefined()
})

test('verify finds credits that differ from the ledger and balances that differ from the movements', async () => {
  const { accountId } = await createAccount(owner.db, { name: 'verified', plan: 'free' })
  await rows(
    `insert into credit_periods (account_id, n, starts_at, ends_at, granted, posted, fresh_until, is_open)
     values ($1, 900, now(), now(), 100, 7, now(), false)`,
    [accountId],
  )
  await rows(
    `insert into ledger_entries (request_id, kind, account_id, n, credits, endpoint)
     values (gen_random_uuid(), 'charge', $1, 900, 7, 'GET /coins')`,
    [accountId],
  )
  await rows(`insert into wallets (address) values ('0x1')`)
  await rows(
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, head_block, normalised_block, synced_at)
     select id, 'ethereum', 5, 5, 5, now() from wallets`,
  )
  await insertCoin(owner.db, { id: 'ethereum', at: new Date() })
  await rows(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
       decimals, source, fetched_at)
     select id, 'ethereum', now(), 4, '0xb', 0, '0xt', 0, 'transfer', 'ethereum', 10, 18, 'test', now() from wallets`,
  )
  await rows(
    `insert into balances (wallet_id, network_id, coin_id, raw, decimals, block_number, block_hash, source, fetched_at)
     select id, 'ethereum', 'ethereum', 10, 18, 5, '0xb', 'test', now() from wallets`,
  )
  const good = await json<{ check: string; compared: number; differences: string[] }[]>('verify')
  expect(good.slice(0, 2)).toEqual([
    expect.objectContaining({ check: 'credits = ledger', differences: [] }),
    { check: 'balances = movements', compared: 1, behind: 0, differences: [] },
  ])
  expect((await run('verify')).code).toBe(0)

  await rows('update credit_periods set posted = 8 where n = 900')
  await rows('update balances set raw = 11')
  const { code, text } = await run('verify')
  expect(code).toBe(1)
  expect(text).toContain(`DIFFERS  account ${accountId}, period 900: 8 credits posted, 7 in the ledger`)
  expect(text).toContain('DIFFERS  0x1 on ethereum, ethereum: the balance is 11, its movements sum to 10')
  // A wallet that is not synced to the head is left out.
  await rows('update wallet_syncs set head_block = 6')
  expect((await json('verify'))[1]).toMatchObject({ compared: 0, behind: 1, differences: [] })
})

test('backfill prints its cost, is requested once, and leaves out stored prices', async () => {
  vi.stubEnv('COINGECKO_API_KEY', 'x')
  await insertCoin(owner.db, { id: 'bitcoin', at: new Date() })
  await rows(
    `insert into coin_mappings (source, upstream_id, coin_id) select 'coingecko', id, id from coins
     on conflict do nothing`,
  )
  await rows(`update coins set source = 'coingecko'`)
  const span = ['backfill', '--from', '2024-01-01', '--to', '2026-01-01'] as const
  const all = await json(...span, '--dry-run')
  expect(all).toMatchObject({
    dryRun: true,
    coins: 2,
    plan: [{ source: 'coingecko', coins: 2, requests: 2 }],
  })
  // Hourly prices are fetched in parts of 89 days.
  const hours = await json(...span, '--resolution', 'hour', '--coins', 'bitcoin', '--dry-run')
  expect(hours.plan).toMatchObject([{ coins: 1, requests: Math.ceil(731 / 89) }])
  const asked = () => rows(`select input from outbox where workflow = 'fillPriceHistory'`)
  expect(await asked()).toEqual([])

  await rows(
    `insert into price_histories (coin_id, resolution, from_at, to_at) values ('bitcoin', 'day', '2023-06-01', '2026-01-01')`,
  )
  expect((await run(...span)).text).toContain('requested')
  expect(await asked()).toEqual([
    {
      input: {
        resolution: 'day',
        coinIds: ['ethereum'],
        fromMs: Date.parse('2024-01-01'),
        toMs: Date.parse('2026-01-01'),
      },
    },
  ])
  expect((await run(...span, '--coins', 'bitcoin')).text).toBe('nothing is missing in this span')
  await expect(run(...span, '--coins', 'nothing')).rejects.toThrow('no coins with a source: nothing')
  await expect(run('backfill', '--from', '2026-01-02', '--to', '2026-01-01')).rejects.toThrow(UsageError)
})

test('record saves the answer of a source without the key', async () => {
  const KEY = 'secret-of-alchemy'
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ address: '0x1', name: `asked by ${request.url}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('ALCHEMY_NFT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/nft/v3`)
  vi.stubEnv('ALCHEMY_API_KEY', KEY)
  try {
    const to = join(folder, 'recordings')
    const { files } = await json<{ files: string[] }>('record', 'alchemy-nft', '--to', to)
    expect(files).toEqual(readdirSync(to).map((file) => join(to, file)))
    const text = readFileSync(files[0]!, 'utf8')
    expect(JSON.parse(text) as Fixture).toMatchObject({ source: 'alchemy-nft', method: 'GET', status: 200 })
    expect(text).toContain('/nft/v3/KEY/getContractMetadata')
    expect(text).not.toContain(KEY)
    // The request counts, but nothing was ingested.
    const [asked] = await rows<{ success: Date | null; requests: number }>(
      `select s.last_success_at as success, h.requests from source_states s
       join source_hours h using (source) where source = 'alchemy-nft'`,
    )
    expect(asked).toEqual({ success: null, requests: 1 })
    await expect(run('record', 'alchemy-nf')).rejects.toThrow('did you mean "alchemy-nft"?')
    await expect(run('record', 'opensea')).rejects.toThrow('opensea is off: set OPENSEA_API_KEY')
  } finally {
    server.close()
  }
})

test('doctor prints the state of each part and how to repair it, but no secret', async () => {
  const PEPPER = 'pepper that nobody sees'
  vi.stubEnv('SHARE_PEPPER', PEPPER)
  vi.stubEnv('API_DATABASE_URL', database.apiUrl)
  vi.stubEnv('METER_DATABASE_URL', database.meterUrl.replace(/:meter@/, ':wrong@'))
  const findings = await json<{ check: string; state: string; mend?: string }[]>('doctor', '--offline')
  const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state
  expect(['Node', 'database', 'schema', 'clock', 'role api', 'DuckDB', 'SHARE_PEPPER'].map(stateOf)).toEqual(
    Array.from({ length: 7 }, () => 'ok'),
  )
  expect([stateOf('role meter'), stateOf('role gateway'), stateOf('Temporal')]).toEqual([
    'fail',
    'warn',
    'fail',
  ])
  for (const { state, mend } of findings) expect(mend === undefined).toBe(state === 'ok')
  expect(toJson(findings)).not.toContain(PEPPER)
  const { code, text } = await run('doctor', '--offline')
  expect(code).toBe(1)
  expect(text).toMatch(/FAIL {2}Temporal +no address\n +run "npm start", or set TEMPORAL_ADDRESS/)
  expect(text).not.toContain(PEPPER)
})

test('doctor names the database that it cannot reach', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://sluice@127.0.0.1:1/sluice')
  const { code, text } = await run('doctor', '--offline')
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  expect(code).toBe(1)
  expect(text).toMatch(/FAIL {2}database .*ECONNREFUSED.*\n +is Postgres up at 127\.0\.0\.1:1\?/)
})
