import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { csvLine } from '../../db/values/csv-line.ts'
import { startAccountWorld } from './account-world.ts'
import type { browse } from './browse.ts'

const database = await testDatabase()
const { api, openTo, signIn } = await startAccountWorld({ database, routes })
const [own, other] = [await api.newAccount({ plan: 'pro' }), await api.newAccount()]
const DATA = '/account/data'
let browser: ReturnType<typeof browse>
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const PORTFOLIOS = '/account/portfolios'
const FILE = `date,coin,count,price,currency,note
2026-01-02T10:00:00.000Z,bitcoin,0.123456789012345678,40000.5,USD,"Bought, at last"
2026-01-03T00:00:00.000Z,ethereum,-2,,USD,"=HYPERLINK(""x"")"
`

async function portfolioId(name: string): Promise<string> {
  await browser.submit(PORTFOLIOS, PORTFOLIOS, { name })
  return (await ask<{ id: string }>('select id from portfolios where name = $1', [name]))[0]!.id
}
const firstPortfolio = async () =>
  (await ask<{ id: string }>(`select id from portfolios where name = 'First'`))[0]!.id
const importInto = async (portfolio: string, file: string) =>
  browser.confirmImport(await browser.uploadImport({ portfolio, file }))
const stated = (portfolio: string) =>
  ask(
    'select at, coin_id, count, price, currency, note from manual_transactions where portfolio_id = $1 order by at',
    [portfolio],
  )

beforeAll(async () => {
  for (const [id, rank] of [
    ['bitcoin', 1],
    ['ethereum', 2],
  ] as const)
    await insertCoin(api.owner, { id, rank, priceUsd: '40000', at: new Date(Date.now() - 60_000) })
  await openTo(own.accountId)
  browser = (await signIn()).browser
  expect((await importInto(await portfolioId('First'), FILE)).status).toBe(303)
})

test('what an owner stated comes back exactly, and another portfolio can import it', async () => {
  const { text, headers } = await browser.get(`${DATA}/by-hand.csv`)
  expect(headers.get('content-disposition')).toBe('attachment; filename="by-hand.csv"')
  expect(parse(text)).toEqual([
    ['date', 'coin', 'count', 'price', 'currency', 'note', 'portfolio'],
    [
      '2026-01-02T10:00:00.000Z',
      'bitcoin',
      '0.123456789012345678',
      '40000.5',
      'USD',
      'Bought, at last',
      'First',
    ],
    ['2026-01-03T00:00:00.000Z', 'ethereum', '-2', '', 'USD', `'=HYPERLINK("x")`, 'First'],
  ])
  const second = await portfolioId('Second')
  await importInto(second, text)
  expect(await stated(second)).toEqual(await stated(await firstPortfolio()))
})

test('what programs stated comes back too: currencies, and notes that begin as formulas or quotes do', async () => {
  const [from, to] = [await portfolioId('Third'), await portfolioId('Fourth')]
  const notes = ['=1+1', "'=1+1", "'-1.5", '-1.5', "''@a", "it's"]
  for (const [i, note] of notes.entries())
    await ask(
      `insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, note, source, fetched_at)
       values (uuidv7(), $1, $2, 'FiatCoinUSD', 3, 1, 'USD', $3, 'test', now())`,
      [from, `2026-01-0${i + 1}`, note],
    )
  const own = await stated(from)
  const { text } = await browser.get(`${DATA}/by-hand.csv`)
  const [header, ...lines] = text.trim().split('\r\n')
  const file = [header, ...lines.filter((line) => line.endsWith(',Third'))].join('\r\n')
  expect((await importInto(to, file)).status).toBe(303)
  expect(await stated(to)).toEqual(own)
  await ask('delete from portfolios where id = any($1)', [[from, to]])
})

test('all transactions are a table by coin, which no spreadsheet runs', async () => {
  const { text } = await browser.get(`${DATA}/transactions.csv`)
  const [header, ...rows] = parse(text) as string[][]
  expect(header!.slice(0, 7)).toEqual(['date', 'portfolio', 'type', 'coin', 'symbol', 'count', 'worth_usd'])
  expect(rows.map(([date, portfolio, type, coin]) => [date!.slice(0, 10), portfolio, type, coin])).toEqual(
    expect.arrayContaining([
      ['2026-01-03', 'First', 'Sell', 'ethereum'],
      ['2026-01-02', 'Second', 'Buy', 'bitcoin'],
    ]),
  )
  expect(rows).toHaveLength(4)
  expect(text).not.toMatch(/(^|,|")=/m)
})

test.each([
  ['=1+1', "'=1+1"],
  ['-1+1', "'-1+1"],
  ['-1.5', '-1.5'],
  ['@a', "'@a"],
  ["'=1+1", "''=1+1"],
  ["'-1.5", "'-1.5"],
  ['a "b"\nc', '"a ""b""\nc"'],
  [null, ''],
])('a field %j is written as %j', (value, written) => {
  expect(csvLine([value, 1])).toBe(`${written},1\r\n`)
})

test('the account is a file without secrets', async () => {
  const { text } = await browser.get(`${DATA}/account.json`)
  const content = JSON.parse(text) as Record<string, unknown[]>
  expect(content['portfolios']).toMatchObject([{ name: 'First', kind: 'manual' }, { name: 'Second' }])
  expect(content['keys']).toHaveLength(1)
  expect(text).not.toContain(own.key)
})

test('an account is closed only by its name; then nothing of it works, and others are untouched', async () => {
  const wrong = await browser.post(`${DATA}/close`, { csrf: await browser.csrfOf(DATA), name: 'something' })
  expect(wrong.status).toBe(400)
  expect((await api.get('/currencies', own.key)).status).toBe(200)
  const [usage] = await ask<{ n: string }>('select count(*) as n from ledger_entries where account_id = $1', [
    own.accountId,
  ])

  // The page says what ends when, and these are the times that it says.
  const said = (await browser.get(DATA)).text.replace(/\s+/g, ' ')
  expect(said).toContain(
    'Sign-in, share links and connect kits end with the next request. Keys work for up to 5 seconds more',
  )
  expect(said).not.toContain('at once')
  const SHARES = '/account/shares'
  const made = await browser.submit(SHARES, SHARES, { portfolioId: await firstPortfolio() })
  const link = /\/p\/[0-9A-Za-z]{30}/.exec(made.text)![0]
  expect((await browser.get(link)).status).toBe(200)

  const closed = await browser.post(`${DATA}/close`, { csrf: await browser.csrfOf(DATA), name: 'test' })
  expect([closed.status, closed.location]).toEqual([303, '/account'])
  expect((await browser.get('/account')).status).toBe(401)
  expect((await signIn()).landed.status).toBe(403)
  expect((await browser.get(link)).status).toBe(404)
  await expect.poll(async () => (await api.get('/currencies', own.key)).status, { timeout: 5_000 }).toBe(401)
  expect((await api.get('/currencies', other.key)).status).toBe(200)

  const left = await ask<{ table: string; n: string }>(
    `select c.table_name as table, (xpath('/row/n/text()', query_to_xml(format(
       'select count(*) as n from %I where account_id = %L', c.table_name, $1::text), false, true, '')))[1]::text as n
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'`,
    [own.accountId],
  )
  const kept = left.filter(({ n }) => n !== '0').map(({ table }) => table)
  // Books of figures go with the portfolios, by the worker.
  const allowed = [
    'api_keys',
    'credit_grants',
    'credit_periods',
    'ledger_entries',
    'rate_states',
    'scopes',
    'usage_days',
    'portfolio_books',
    'uncomputed_figures',
    'event_rates',
  ]
  expect(
    kept.filter((table) => !allowed.includes(table) && !/^ledger_entries|^account_events/.test(table)),
  ).toEqual([])
  const [after] = await ask<{ n: string }>('select count(*) as n from ledger_entries where account_id = $1', [
    own.accountId,
  ])
  expect(Number(after!.n)).toBeGreaterThanOrEqual(Number(usage!.n))
  expect(await ask('select workflow from outbox where workflow_id like $1', ['remove:%'])).toHaveLength(2)
})
