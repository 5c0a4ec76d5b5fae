import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { FILL_COLUMNS, readFillFile } from '../../cli/read-fill-file.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { connectAccount, syncDirectly } from './connect.ts'
import { exchangeDeps, startExchanges } from './exchange-world.ts'

// The same fills by API and by file (docs/figures.md). The same exchange account connected twice.

const database = await testDatabase()
const exchanges = await startExchanges({})
const { deps, publicKey } = exchangeDeps(database, exchanges)
const activities = createExchangesActivities(deps)
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl })
const folder = await mkdtemp(join(tmpdir(), 'sluice-fills-'))
afterAll(() => rm(folder, { recursive: true }))

const connect = async () => {
  const key = binanceKeys[0]!
  return (await connectAccount(database, { activities, exchange: 'binance', key, publicKey })).connectionId
}
const rows = (sql: string, connectionId: string) => query<any>(database.ownerUrl, sql, [connectionId])
/** Rows and legs of the exchange without their origin. */
async function tablesOf(connectionId: string) {
  await recomputeBook({ pool: deps.pool, book: { connectionId }, nowMs: exchanges.clock.nowMs() })
  return {
    transactions: await rows(
      `select to_jsonb(t) - 'connection_id' - 'source' - 'fetched_at' as row from exchange_transactions t
       where connection_id = $1 order by kind, key`,
      connectionId,
    ),
    legs: await rows(
      `select to_jsonb(l) - 'connection_id' - 'source' - 'fetched_at' as row from exchange_legs l
       where connection_id = $1 order by kind, key, role`,
      connectionId,
    ),
    days: await rows(
      `select to_jsonb(d) - 'book_id' as row from pl_days d join books b on b.id = d.book_id
       where b.connection_id = $1 order by d.at`,
      connectionId,
    ),
  }
}

let byApi: string
let fills: string[]

beforeAll(async () => {
  byApi = await connect()
  await syncDirectly(activities, byApi)
  const found = await rows(
    `select key, at, symbol, asset, amount, quote_amount, fee_asset, fee_amount from exchange_transactions
     where connection_id = $1 and kind = 'fill' order by at, key`,
    byApi,
  )
  const positive = (text: string) => text.replace('-', '')
  fills = found.map((row) =>
    [
      row.key.slice(row.symbol.length + 1),
      row.at.toISOString(),
      row.symbol,
      row.amount.startsWith('-') ? 'sell' : 'buy',
      positive(row.amount),
      positive(row.quote_amount),
      row.fee_asset,
      row.fee_amount,
    ].join(),
  )
  expect(fills.length).toBeGreaterThan(50)
})

function file(lines: readonly string[]): string {
  const path = join(folder, `${Math.random()}.csv`)
  writeFileSync(path, [FILL_COLUMNS, ...lines].join('\n'))
  return path
}

test('37: fills from the API count once when a file repeats them', async () => {
  const before = await tablesOf(byApi)
  const { status, stdout } = await sluice('exchanges', 'import', byApi, file(fills))
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${fills.length} lines: 0 new`)])
  await syncDirectly(activities, byApi)
  expect(await tablesOf(byApi)).toEqual(before)
  expect(before.days.length).toBeGreaterThan(300)
})

test('37: fills from a file count once when the API repeats them, and fills the API lacks stay', async () => {
  const byFile = await connect()
  const old = '1,2020-01-02T00:00:00Z,ETH/USDT,buy,2,260,BNB,0.01'
  const { status, stdout } = await sluice('exchanges', 'import', byFile, file([...fills, old]))
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${fills.length + 1} new`)])
  const asked = await rows(
    'select from outbox where workflow_id = $1 and dispatched_at is null',
    `exchange:${byFile}`,
  )
  expect(asked.length).toBe(1)
  await syncDirectly(activities, byFile)
  const keys = async (connectionId: string) =>
    (
      await rows(
        "select key from exchange_transactions where connection_id = $1 and kind = 'fill' order by 1",
        connectionId,
      )
    ).map(({ key }) => key)
  const wanted = new Set([...(await keys(byApi)), 'ETH/USDT:1'])
  const kept = await keys(byFile)
  expect([kept.length, new Set(kept)]).toEqual([wanted.size, wanted])
})

test.each([
  ['a file that is not there', () => join(folder, 'missing.csv'), 'does not exist'],
  ['a fill that comes twice', () => file([fills[0]!, fills[0]!]), 'line 3: this fill is in an earlier line'],
  ['a day that is none', () => file([fills[0]!.replace(/\d{4}-\d\d-\d\d/, '2024-02-30')]), 'is not an RFC'],
  [
    'an amount below zero',
    () => file(['1,2020-01-02T00:00:00Z,ETH/USDT,buy,-2,260,,']),
    'an amount is below zero',
  ],
  ['a side that is none', () => file(['1,2020-01-02T00:00:00Z,ETH/USDT,hold,2,260,,']), 'side'],
  [
    'half a fee',
    () => file([fills[0]!, '1,2020-01-02T00:00:00Z,ETH/USDT,buy,2,260,BNB,']),
    'a fee needs both',
  ],
])('reports %s and imports nothing of the file', async (_, path, reason) => {
  const { rows: read, problems } = await readFillFile(path())
  expect([read, problems]).toEqual([[], [expect.stringContaining(reason)]])
})

test('a file with an error imports nothing', async () => {
  const { status, stderr } = await sluice('exchanges', 'import', byApi, file([fills[0]!, 'no fill']))
  expect([status, stderr]).toEqual([1, 'line 3: 1 fields\nnothing was imported\n'])
})

test('reports an account that does not exist', async () => {
  const { status, stderr } = await sluice(
    'exchanges',
    'import',
    '00000000-0000-0000-0000-000000000000',
    file(fills),
  )
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('there is no exchange account')])
})
