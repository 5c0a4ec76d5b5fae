import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import type { browse, Preview } from './browse.ts'
import { FILES, GHOSTFOLIO_JSON } from './import-files.ts'

const database = await testDatabase()
const { api, url, openTo, signIn } = await startAccountWorld({ database, routes })
const own = await api.newAccount({ plan: 'pro' })
const IMPORT = '/account/import'
let browser: ReturnType<typeof browse>
let portfolio: string
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

beforeAll(async () => {
  const at = new Date(Date.now() - 60_000)
  for (const [id, symbol, rank] of [
    ['bitcoin', 'btc', 1],
    ['ethereum', 'eth', 2],
    ['usd-coin', 'usdc', 3],
  ] as const)
    await insertCoin(api.owner, {
      id,
      symbol,
      rank,
      priceUsd: '1',
      at,
      ...(id === 'usd-coin' && {
        contracts: [
          { blockchain: 'ethereum', address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 },
        ],
      }),
    })
  await sql`insert into fx_rates (currency, at, per_usd, source, fetched_at)
    select 'EUR', day, 0.8, 'test', now() from unnest(array['2026-01-01'::timestamptz, date_trunc('day', now(), 'UTC')]) as day`.execute(
    api.owner,
  )
  await openTo(own.accountId)
  browser = (await signIn()).browser
})

beforeEach(async () => {
  await ask('delete from portfolios where account_id = $1', [own.accountId])
  await browser.submit('/account/portfolios', '/account/portfolios', { name: 'Imported' })
  portfolio = (
    await ask<{ id: string }>('select id from portfolios where account_id = $1', [own.accountId])
  )[0]!.id
})

const preview = (file: string) => browser.uploadImport({ portfolio, file })
const confirm = async (seen: Preview) => browser.follow(await browser.confirmImport(seen), url)
const add = async (file: string) => confirm(await preview(file))
/** Each transaction as `day count coin price currency`, in the order of the file. */
const stored = async () =>
  (
    await ask<{ text: string }>(
      `select concat_ws(' ', to_char(at at time zone 'UTC', 'MM-DD'), count, coin_id, round(price, 6), case when price is not null then currency end) as text
       from manual_transactions where portfolio_id = $1 order by at, coin_id, count`,
      [portfolio],
    )
  ).map(({ text }) => text)
const facts = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<dt>([^<]+)<\/dt>\s*<dd>([^<]*)<\/dd>/g)].map(([, name, value]) => [name, value]),
  )
const spent = async () =>
  Number(
    (
      await ask<{ n: string }>(
        'select coalesce(sum(posted), 0) as n from credit_periods where account_id = $1',
        [own.accountId],
      )
    )[0]!.n,
  )

interface Expected {
  stored: string[]
  refused?: number
  left?: number
  says?: string[]
}

const EXPECTED: Record<keyof typeof FILES, Expected> = {
  Sluice: {
    stored: ['01-02 0.5 bitcoin 40000.000000 EUR', '01-03 -2 ethereum'],
    refused: 2,
    left: 0,
    says: ['no coin has the id or symbol &#34;nothing-known&#34;', 'count: &#34;zero&#34; is not a number'],
  },
  Koinly: {
    stored: [
      '01-02 0.5 bitcoin 40200.000000 EUR',
      '01-03 -0.1 bitcoin',
      '01-03 -0.001 ethereum',
      '01-03 2 ethereum',
      '01-04 0.05 ethereum',
    ],
    refused: 0,
    left: 2,
    says: ['only currencies move', 'nothing is sent or received'],
  },
  rotki: {
    stored: ['01-02 0.5 bitcoin 40000.000000 EUR', '01-03 1 ethereum', '01-03 -2500 usd-coin'],
    refused: 1,
    left: 0,
    says: ['no coin has the id or symbol &#34;GLDX&#34;'],
  },
  Ghostfolio: {
    stored: ['01-02 0.5 bitcoin 40020.000000 USD', '01-03 -2 ethereum 2497.500000 USD'],
    refused: 1,
    left: 1,
    says: ['no coin has the id or symbol &#34;MSFT&#34;', 'is neither a purchase nor a sale'],
  },
  Coinbase: {
    stored: [
      '01-02 0.5 bitcoin 40200.000000 USD',
      '01-03 -0.1 bitcoin',
      '01-03 1.6 ethereum',
      '01-04 0.01 ethereum',
      '01-05 -0.2 bitcoin',
    ],
    refused: 1,
    left: 0,
    says: ['&#34;Mystery&#34; is not known'],
  },
  Kraken: {
    stored: [
      '01-02 0.5 bitcoin 40064.000000 EUR',
      '01-03 0.01 ethereum',
      '01-04 -0.1 bitcoin',
      '01-04 -0.0001 bitcoin',
    ],
    refused: 0,
    left: 3,
    says: ['it is pending', 'it is the other side of line', 'only currencies move'],
  },
  Binance: {
    stored: [
      '01-03 0.5 ethereum',
      '01-02 0.5 bitcoin 40000.000000 EUR',
      '01-02 -0.01 ethereum',
      '01-05 -0.1 bitcoin',
    ],
    refused: 0,
    left: 5,
    says: ['it belongs to the trade of line', 'between the wallets of the account'],
  },
  Bitstamp: {
    stored: [
      '01-01 1 bitcoin',
      '01-02 0.5 bitcoin 40064.000000 EUR',
      '01-03 -0.0001 bitcoin',
      '01-03 0.1 bitcoin',
      '01-03 -2 ethereum',
      '01-04 0.01 ethereum',
      '01-05 -0.2 bitcoin',
      '01-05 -0.0005 bitcoin',
    ],
    refused: 1,
    says: ['&#34;Mystery&#34; is not known'],
  },
  'Bitfinex, trades': {
    stored: [
      '01-02 -0.001 bitcoin',
      '01-02 0.5 bitcoin 40000.000000 EUR',
      '01-03 -0.0002 bitcoin',
      '01-03 0.1 bitcoin',
      '01-03 -2 ethereum',
      '01-04 -0.05 bitcoin',
      '01-04 1.001 ethereum',
    ],
    refused: 1,
    says: ['has the month first'],
  },
  'Bitfinex, movements': {
    stored: ['01-02 1 bitcoin', '01-04 -0.2 bitcoin', '01-04 -0.0004 bitcoin'],
    left: 1,
    says: ['its status is CANCELED'],
  },
  'Crypto.com App': {
    stored: [
      '01-02 0.5 bitcoin 40000.000000 EUR',
      '01-03 -0.1 bitcoin',
      '01-03 2 ethereum',
      '01-04 0.01 ethereum',
      '01-05 -0.2 bitcoin',
    ],
    refused: 1,
    left: 1,
    says: ['&#34;never_heard_of&#34; is not known', 'between the wallets of the account'],
  },
  'KuCoin, filled orders': {
    stored: [
      '01-02 -0.1 bitcoin',
      '01-02 -0.0001 bitcoin',
      '01-02 2 ethereum',
      '01-03 -0.00005 bitcoin',
      '01-03 0.05 bitcoin',
      '01-03 -1 ethereum',
    ],
  },
  'KuCoin, withdrawals': {
    stored: ['01-02 -0.2 bitcoin', '01-02 -0.0005 bitcoin'],
    left: 1,
    says: ['its status is FAILURE'],
  },
  'KuCoin, deposits': { stored: ['01-02 1 bitcoin', '01-03 -0.001 ethereum', '01-03 2 ethereum'] },
  'OKX, trading history': {
    stored: [
      '01-02 -0.1 bitcoin',
      '01-02 -0.002 ethereum',
      '01-02 2 ethereum',
      '01-05 0.05001 bitcoin',
      '01-05 -0.9998 ethereum',
    ],
    refused: 1,
    left: 3,
    says: ['one line that buys and one that sells', 'it is the other side of line'],
  },
  'OKX, funding history': {
    stored: ['01-02 1 bitcoin', '01-03 -0.2 bitcoin', '01-03 -0.0005 bitcoin', '01-04 0.01 ethereum'],
    left: 1,
  },
  'Poloniex, trades': {
    stored: [
      '01-02 -0.1 bitcoin',
      '01-02 -0.004 ethereum',
      '01-02 2 ethereum',
      '01-03 -0.0001 bitcoin',
      '01-03 0.05 bitcoin',
      '01-03 -1 ethereum',
    ],
  },
  'Poloniex, withdrawals': {
    stored: ['01-02 -0.1995 bitcoin', '01-02 -0.0005 bitcoin'],
    left: 1,
    says: ['its status is COMPLETE ERROR'],
  },
  'Poloniex, deposits': { stored: ['01-02 1 bitcoin', '01-03 2 ethereum'] },
  'Bittrex, orders': {
    stored: [
      '01-02 -0.1 bitcoin',
      '01-02 -0.00025 bitcoin',
      '01-02 2 ethereum',
      '01-13 -0.000125 bitcoin',
      '01-13 0.05 bitcoin',
      '01-13 -1 ethereum',
    ],
  },
  'Bittrex, deposits': {
    stored: ['01-02 1 bitcoin', '01-04 2 ethereum'],
    left: 1,
    says: ['its state is PENDING'],
  },
  'Bittrex, withdrawals': {
    stored: ['01-02 -0.2 bitcoin', '01-02 -0.0005 bitcoin'],
    left: 1,
    says: ['it was cancelled'],
  },
  'FTX, trades': {
    stored: [
      '01-02 -0.1 bitcoin',
      '01-02 -0.0001 bitcoin',
      '01-02 2 ethereum',
      '01-03 0.05001 bitcoin',
      '01-03 -1 ethereum',
    ],
    left: 1,
    says: ['it is of a future'],
  },
  'FTX, withdrawals': { stored: ['01-02 -0.2 bitcoin', '01-02 -0.0005 bitcoin'] },
  'FTX, deposits': {
    stored: ['01-02 1 bitcoin', '01-04 2 ethereum'],
    left: 1,
    says: ['its status is cancelled'],
  },
}

describe.each(Object.entries(EXPECTED))(
  'a file of %s',
  (name, { stored: rows, refused = 0, left = 0, says = [] }) => {
    const file = FILES[name as keyof typeof FILES]

    test('is previewed with what is refused and why, is added once, and costs what the API takes', async () => {
      const seen = await preview(file)
      expect(seen.status).toBe(200)
      const { length } = rows
      expect(facts(seen.text)).toEqual({
        File: name,
        'To add': String(length),
        'There already': '0',
        'Refused lines': String(refused),
        'No transactions': String(left),
      })
      for (const reason of says) expect(seen.text).toContain(reason)
      expect(seen.text).toContain(`Add ${length} transactions (${length * 4} credits)`)
      expect([await stored(), await spent()]).toEqual([[], expect.any(Number)])

      const before = await spent()
      const page = await add(file)
      expect(page.text).toContain(`Added ${length} transactions.`)
      expect(await stored()).toEqual(rows)
      expect((await spent()) - before).toBe(length * 4)

      const again = await preview(file)
      expect(facts(again.text)).toMatchObject({ 'To add': '0', 'There already': String(length) })
      expect(again.text).not.toContain('/add"')
      expect(await stored()).toEqual(rows)
    })
  },
)

test("Ghostfolio's JSON file says the same as its CSV file", async () => {
  await add(GHOSTFOLIO_JSON)
  const inJson = await stored()
  expect(inJson).toEqual(EXPECTED.Ghostfolio.stored)
  expect(facts((await preview(FILES.Ghostfolio)).text)).toMatchObject({ 'To add': '0', 'There already': '2' })
})

test('equal lines of one file are transactions of their own, and a longer file adds only what is new', async () => {
  const header = 'date,coin,count,price,currency,note\n'
  const line = '2026-01-02,bitcoin,1,,,\n'
  await add(header + line + line)
  expect(await stored()).toHaveLength(2)
  expect(facts((await preview(header + line + line + line)).text)).toMatchObject({
    'To add': '1',
    'There already': '2',
  })
})

test('a file adds nothing twice when its symbols have come to stand for other coins', async () => {
  const file = 'date,coin,count,price,currency\n2026-01-02,btc,1,,\n'
  await add(file)
  await ask(
    `update coins set rank = case id when 'bitcoin' then 900 else rank end, symbol = case id when 'usd-coin' then 'btc' else symbol end`,
  )
  expect(facts((await preview(file)).text)).toMatchObject({ 'To add': '0', 'There already': '1' })
  await ask(
    `update coins set rank = case id when 'bitcoin' then 1 else rank end, symbol = case id when 'usd-coin' then 'usdc' else symbol end`,
  )
})

test('an import that the credits do not cover adds nothing', async () => {
  await ask('update credit_periods set granted = posted + 7 where account_id = $1', [own.accountId])
  const { status } = await add(FILES.Sluice)
  expect([status, await stored()]).toEqual([429, []])
  await ask('update credit_periods set granted = 100000 where account_id = $1', [own.accountId])
})

test.each([
  ['no header that is known', 'a,b\n1,2\n', 'No line of the file is a header that is known'],
  ['broken quotes', 'date,coin,count,price,currency\n"2026', 'The file is no CSV file'],
  ['JSON of something else', '{"a": 1}', 'The file has no &#34;activities&#34;'],
  [
    'more lines than are read',
    `date,coin,count,price,currency\n${'2026-01-02,btc,1,,\n'.repeat(5_001)}`,
    'The file has 5001 lines',
  ],
  ['an empty file', '', 'Choose a file.'],
  [
    'bytes that are no text',
    'date,coin,count,price,currency\n2026-01-02,b\0tc,1,,\n',
    'The file is no text.',
  ],
])('a file with %s is refused as a whole', async (_name, file, reason) => {
  const { status, text } = await preview(file)
  expect(status).toBe(400)
  expect(text).toContain(`id="file-problem">${reason}`)
  // The form is there to try again.
  expect(text).toMatch(/<input[^>]*type="file"[^>]*aria-invalid="true" aria-describedby="file-problem"/)
  expect(text).toContain(`<option value="${portfolio}" selected>`)
})

test('a file for a portfolio of another account, a form without its token and a form that is none are refused', async () => {
  const stranger = await api.newAccount()
  const [foreign] = await ask<{ id: string }>(
    `insert into portfolios (id, account_id, kind, name) values (uuidv7(), $1, 'manual', 'Theirs') returning id`,
    [stranger.accountId],
  )
  expect((await browser.uploadImport({ portfolio: foreign!.id, file: FILES.Sluice })).status).toBe(404)
  const fields = { csrf: 'x', portfolio, file: FILES.Sluice }
  expect((await browser.postFile(IMPORT, fields)).status).toBe(403)
  const broken = await browser.send(IMPORT, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: 'no form',
  })
  expect(broken.status).toBe(400)
  expect((await preview(`${FILES.Sluice}${' '.repeat(1_100_000)}`)).status).toBe(413)
})
