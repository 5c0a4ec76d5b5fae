import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openReadonlyDb } from '../../db/connect.ts'
import { readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { statedLines, transactionLines } from '../../web/account/data/own-transactions.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// Downloads of more transactions than one page, which change while they are read.

const database = await testDatabase()
const api = await startApi({ database, routes })
const readonly = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { accountId } = await api.newAccount()
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const NOW = new Date('2026-03-01')
let portfolio: string

beforeAll(async () => {
  await insertCoin(api.owner, { id: 'bitcoin', rank: 1, priceUsd: '1', at: NOW })
  return () => readonly.close()
})

beforeEach(async () => {
  await ask('delete from portfolios where account_id = $1', [accountId])
  const [made] = await ask<{ id: string }>(
    `insert into portfolios (id, account_id, kind, name) values (uuidv7(), $1, 'manual', 'Many') returning id`,
    [accountId],
  )
  portfolio = made!.id
  // 1,300 in seconds of their own, then 1,300 at one instant.
  await add(1, 1_300, `'2026-01-01'::timestamptz + n * interval '1 second'`)
  await add(1_301, 2_600, `'2026-01-02'::timestamptz`)
})

const add = (from: number, to: number, at: string) =>
  ask(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at)
     select uuidv7(), $1, ${at}, 'bitcoin', n, 'USD', 'test', now() from generate_series($2::int, $3::int) as n`,
    [portfolio, from, to],
  )
const NUMBERS = Array.from({ length: 2_600 }, (_, i) => i + 1)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

/** Counts of all lines; `meanwhile` runs after the first page. */
async function countsOf(
  lines: AsyncGenerator<string>,
  { column, pageAt, meanwhile }: { column: number; pageAt: number; meanwhile: () => Promise<unknown> },
): Promise<number[]> {
  let text = ''
  let yields = 0
  for await (const part of lines) {
    text += part
    if (++yields === pageAt) await meanwhile()
  }
  return (parse(text) as string[][]).slice(1).map((fields) => Number(fields[column]))
}

const MEANWHILE = [
  ['nothing happens', async () => undefined],
  [
    'newer and older ones come',
    async () => {
      await add(9_001, 9_010, `'2026-02-01'::timestamptz`)
      await add(9_011, 9_020, `'2025-12-01'::timestamptz`)
    },
  ],
  [
    'some of the first page go',
    () => ask('delete from manual_transactions where count between 2590 and 2600'),
  ],
] as const

test.each(MEANWHILE)(
  'all transactions are listed once when %s while they are read',
  async (_name, meanwhile) => {
    const portfolios = await readPortfolios(readonly.db, { accountId })
    const lines = transactionLines(readonly.db, { portfolios, now: NOW })
    // The header, then the first page.
    const counts = await countsOf(lines, { column: 5, pageAt: 2, meanwhile })
    expect(sorted(counts.filter((n) => n < 9_000))).toEqual(NUMBERS)
    expect(new Set(counts).size).toBe(counts.length)
  },
)

test.each(MEANWHILE)(
  'what was stated is listed once when %s while it is read, in pages',
  async (name, meanwhile) => {
    const portfolios = await readPortfolios(readonly.db, { accountId })
    let longest = 0
    async function* measured() {
      for await (const part of statedLines(readonly.db, { portfolios })) {
        longest = Math.max(longest, part.split('\r\n').length - 1)
        yield part
      }
    }
    const counts = await countsOf(measured(), { column: 2, pageAt: 2, meanwhile })
    const wanted = name.startsWith('some') ? NUMBERS.filter((n) => n < 2_590) : NUMBERS
    expect(sorted(counts.filter((n) => n < 9_000))).toEqual(wanted)
    expect(new Set(counts).size).toBe(counts.length)
    expect(longest).toBe(1_000)
  },
)
