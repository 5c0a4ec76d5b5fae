import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import type { browse, Preview } from './browse.ts'
import { FILES } from './import-files.ts'

const database = await testDatabase()
const { api, url, openTo, signIn } = await startAccountWorld({ database, routes })
const [own, other] = [await api.newAccount({ plan: 'pro' }), await api.newAccount({ plan: 'pro' })]
const IMPORT = '/account/import'
const HEADER = 'date,coin,count,price,currency,note\n'
let browser: ReturnType<typeof browse>
let portfolio: string
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

beforeAll(async () => {
  for (const [id, symbol, rank] of [
    ['bitcoin', 'btc', 1],
    ['ethereum', 'eth', 2],
    ['usd-coin', 'usdc', 3],
  ] as const)
    await insertCoin(api.owner, { id, symbol, rank, priceUsd: '1', at: new Date(Date.now() - 60_000) })
  await sql`insert into fx_rates (currency, at, per_usd, source, fetched_at)
    select 'EUR', day, 0.8, 'test', now() from unnest(array['2026-01-01'::timestamptz, date_trunc('day', now(), 'UTC')]) as day`.execute(
    api.owner,
  )
  await openTo(own.accountId)
  browser = (await signIn()).browser
})

beforeEach(async () => {
  await ask('delete from portfolios where account_id = $1', [own.accountId])
  portfolio = await newPortfolio('Imported')
})

async function newPortfolio(name: string): Promise<string> {
  await browser.submit('/account/portfolios', '/account/portfolios', { name })
  return (
    await ask<{ id: string }>('select id from portfolios where account_id = $1 and name = $2', [
      own.accountId,
      name,
    ])
  )[0]!.id
}

const preview = (file: string, into = portfolio) => browser.uploadImport({ portfolio: into, file })
const confirm = async (seen: Preview) => browser.follow(await browser.confirmImport(seen), url)
const look = async (path: string): Promise<Preview> => ({
  ...(await browser.get(path)),
  path: path.replace(/\?.*/, ''),
})
const stored = async () =>
  (
    await ask<{ text: string }>(
      `select concat_ws(' ', to_char(at at time zone 'UTC', 'MM-DD'), count, coin_id) as text
       from manual_transactions where portfolio_id = $1 order by at, coin_id, count`,
      [portfolio],
    )
  ).map(({ text }) => text)
const uploads = () =>
  ask<{ id: string; portfolio_id: string }>(
    'select id, portfolio_id from import_uploads order by expires_at, id',
  )
const fact = (text: string, name: string) =>
  new RegExp(`<dt>${name}</dt>\\s*<dd>([^<]*)</dd>`).exec(text)?.[1]
const swapSymbols = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  await ask(
    `update coins set symbol = case id when 'bitcoin' then 'usdc' else 'btc' end where id in ('bitcoin', 'usd-coin')`,
  )
  const result = await work()
  await ask(
    `update coins set symbol = case id when 'bitcoin' then 'btc' else 'usdc' end where id in ('bitcoin', 'usd-coin')`,
  )
  return result
}

test('what is confirmed is what was shown: the page carries no text, and a symbol that stands for another coin shows the preview again', async () => {
  const seen = await preview(`${HEADER}2026-01-02,btc,1,,,secret words\n2026-01-03,eth,2,,,\n`)
  const form = /<form method="post" action="[^"]*\/add">[\s\S]*?<\/form>/.exec(seen.text)![0]
  expect(form).not.toContain('secret words')
  expect(form).toMatch(/name="rows" value="[0-9a-f]{64}"/)

  const refused = await swapSymbols(() => confirm(seen))
  expect([refused.status, await stored()]).toEqual([409, []])
  expect(refused.text).toContain('Nothing was added')
  expect(refused.text).toContain('&#34;btc&#34; stood for bitcoin, and is usd-coin now')
  expect(refused.text.match(/stood for/g)).toHaveLength(1)

  // Its button confirms what it shows: with the coins of before, that has changed as well.
  const back = await confirm({ ...refused, path: seen.path })
  expect([back.status, await stored()]).toEqual([409, []])
  expect(back.text).toContain('&#34;btc&#34; stood for usd-coin, and is bitcoin now')
  expect((await confirm({ ...back, path: seen.path })).text).toContain('Added 2 transactions.')
  expect(await stored()).toEqual(['01-02 1 bitcoin', '01-03 2 ethereum'])
})

test.each([
  [
    'the portfolio has a line by now',
    async () => void (await confirm(await preview(`${HEADER}2026-01-02,bitcoin,1,,,\n`))),
    'the portfolio has it by now',
  ],
  [
    'a coin is gone',
    async () => void (await ask(`update coins set rank = null where id = 'bitcoin'`)),
    'it is refused now: no coin has the id or symbol &#34;BTC&#34;',
  ],
])('a confirmation after which %s says so', async (_name, change, reason) => {
  const seen = await preview(`${HEADER}2026-01-02,BTC,1,,,\n2026-01-03,eth,2,,,\n`)
  await change()
  const before = await stored()
  const refused = await confirm(seen)
  await ask(`update coins set rank = 1 where id = 'bitcoin'`)
  expect([refused.status, await stored()]).toEqual([409, before])
  expect(refused.text).toContain(reason)
})

test('a file is used once: a second confirmation, also at the same moment, adds nothing', async () => {
  const seen = await preview(FILES.Sluice)
  const both = await Promise.all([browser.confirmImport(seen), browser.confirmImport(seen)])
  const [added, refused] = both.map(({ status }) => status).sort((a, b) => a - b)
  expect(added).toBe(303)
  // Whether the second one saw the file before it was gone is a matter of milliseconds.
  expect([404, 409]).toContain(refused)
  expect(await stored()).toHaveLength(2)
  expect(await uploads()).toEqual([])
  expect((await browser.get(seen.path!)).text).toContain('The file is not kept any more')
})

test.each([
  ['one is there already', { id: 'known' }],
  ['one is for a portfolio of another account', { portfolioId: 'foreign' }],
  ['two have one id', { id: 'first' }],
] as const)('transactions are added together or not at all: %s', async (_name, last) => {
  const [foreign] = await ask<{ id: string }>(
    `insert into portfolios (id, account_id, kind, name) values (uuidv7(), $1, 'manual', 'Theirs') returning id`,
    [other.accountId],
  )
  await confirm(await preview(`${HEADER}2026-01-02,btc,1,,,\n`))
  const [known] = await ask<{ id: string }>('select id from manual_transactions where portfolio_id = $1', [
    portfolio,
  ])
  const ids = { known: known!.id, first: randomUUID(), foreign: foreign!.id }
  const one = {
    kind: 'add',
    portfolioId: portfolio,
    at: '2026-01-05',
    coinId: 'bitcoin',
    count: '1',
    price: null,
    currency: 'USD',
    priceUsd: null,
    note: null,
  }
  const replaced = Object.fromEntries(
    Object.entries(last).map(([name, which]) => [name, ids[which as keyof typeof ids]]),
  )
  const writes = [
    { ...one, id: ids.first },
    { ...one, id: randomUUID(), ...replaced },
  ]
  const applied = ask('select apply_portfolio_writes($1, $2)', [own.accountId, JSON.stringify(writes)])
  await expect(applied).rejects.toMatchObject({ code: 'SL001' })
  expect(await stored()).toEqual(['01-02 1 bitcoin'])
})

test('an account has ten files for an hour, and what ended is deleted with other ended rows', async () => {
  const first = await preview(FILES.Sluice)
  expect((await preview(FILES.Sluice)).path).toBe(first.path)
  expect(await uploads()).toHaveLength(1)
  for (let n = 0; n < 10; n++) await preview(`${HEADER}2026-01-02,btc,${n + 1},,,\n`)
  expect(await uploads()).toHaveLength(10)
  expect((await browser.get(first.path!)).status).toBe(404)

  const { id } = (await uploads())[0]!
  await ask(`update import_uploads set expires_at = now() - interval '1 second' where id = $1`, [id])
  expect((await browser.get(`${IMPORT}/${id}`)).status).toBe(404)
  // As the worker does every hour.
  await query(database.ingestUrl, 'select drop_old_events($1, $2)', [['free'], [3]])
  expect((await uploads()).map((one) => one.id)).not.toContain(id)
  expect(await uploads()).toHaveLength(9)
})

test('nobody sees or confirms the file of another account, nor of a portfolio that is removed', async () => {
  const seen = await preview(FILES.Sluice)
  await ask('update import_uploads set account_id = $1', [other.accountId])
  expect((await browser.get(seen.path!)).status).toBe(404)
  expect((await browser.get(`${seen.path}/refused.csv`)).status).toBe(404)
  expect((await confirm(seen)).status).toBe(404)
  expect((await browser.get(`${IMPORT}/no-id`)).status).toBe(404)
  await ask('update import_uploads set account_id = $1', [own.accountId])
  const page = `/account/portfolios/${portfolio}`
  await browser.submit(page, `${page}/remove`, { sure: 'on' })
  expect(await uploads()).toEqual([])
})

test('every list is a file: number, text and reason of all lines, beyond those that the page shows', async () => {
  const broken = Array.from({ length: 60 }, (_, i) => `2026-01-02,"no ""coin"" ${i}",1,,,\n`).join('')
  const good = Array.from({ length: 55 }, (_, i) => `2026-01-03,btc,${i + 1},,,=1+1\n`).join('')
  const seen = await preview(`\n${HEADER}${broken}${good}`)
  expect(fact(seen.text, 'Refused lines')).toBe('60')
  expect(seen.text).toContain('The first 50 of 60.')
  const csvOf = async (name: string, from = seen.path) => {
    expect((await browser.get(from!)).text).toContain(`${from!.replace(/\?.*/, '')}/${name}`)
    const { headers, text } = await browser.get(from!.replace(/(\?.*)?$/, `/${name}$1`))
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    return parse(text) as string[][]
  }
  const refused = await csvOf('refused.csv')
  expect(refused).toHaveLength(61)
  expect(refused.slice(0, 2)).toEqual([
    ['line', 'text', 'reason'],
    // Line 1 is empty, line 2 the header.
    ['3', '2026-01-02,"no ""coin"" 0",1,,,', 'no coin has the id or symbol "no "coin" 0"'],
  ])
  expect(refused.at(-1)![0]).toBe('62')
  const toAdd = await csvOf('to-add.csv')
  expect(toAdd).toHaveLength(56)
  expect(toAdd[1]).toEqual([
    '63',
    '2026-01-03,btc,1,,,=1+1',
    '2026-01-03T00:00:00.000Z',
    'bitcoin',
    '1',
    '',
    'USD',
    "'=1+1",
  ])
  await confirm(seen)
  const again = await preview(`\n${HEADER}${broken}${good}`)
  expect(await csvOf('repeats.csv', again.path)).toHaveLength(56)
  expect(await csvOf('to-add.csv', `${again.path}?anyway=true`)).toHaveLength(56)
  const koinly = await preview(FILES.Koinly)
  expect((await csvOf('left-out.csv', koinly.path)).map(([line]) => line)).toEqual(['line', '5', '6'])
})

test.each([
  ['Coinbase, whose first line is empty', FILES.Coinbase, 9, '5,2026-01-06 10:00:00 UTC,Mystery'],
  [
    'with notes of several lines',
    `${HEADER}2026-01-02,btc,1,,,"a\nb"\n\n2026-01-03,none,1,,,"c\nd"\n`,
    5,
    '2026-01-03,none',
  ],
  [
    'of Windows',
    `${HEADER}2026-01-02,btc,1,,,"a\nb"\n\n2026-01-03,none,1,,,\n`.replaceAll('\n', '\r\n'),
    5,
    '2026-01-03,none',
  ],
  ['with a byte order mark', `\uFEFF${HEADER}2026-01-03,none,1,,,\n`, 2, '2026-01-03,none'],
])('lines of a file %s have the numbers that editors show', async (_name, file, line, text) => {
  const { path } = await preview(file)
  const [, row] = parse((await browser.get(`${path}/refused.csv`)).text) as string[][]
  expect(row![0]).toBe(String(line))
  expect(row![1]).toMatch(new RegExp(`^${text}`))
})

test('what the portfolio has is left out, also from another file or by hand, and added if its owner says so', async () => {
  const KRAKEN_BUY =
    'txid,refid,time,type,asset,amount,fee\nA,R,2026-01-02 10:00:00,trade,ZEUR,-20000,32\nB,R,2026-01-02 10:00:00,trade,XXBT,0.5,0\n'
  await confirm(await preview(FILES.Koinly))
  const held = await stored()
  const other = await preview(KRAKEN_BUY)
  expect([fact(other.text, 'To add'), fact(other.text, 'There already')]).toEqual(['0', '1'])
  expect(other.text).toContain('Transactions that are there already')

  await browser.submit('/account/transaction', '/account/transaction', {
    portfolio,
    side: 'buy',
    coin: 'ethereum',
    count: '3',
    at: '2026-01-20T10:00',
    price: '',
    currency: 'USD',
    note: '',
  })
  // Two equal lines, of which the portfolio has one.
  const twice = await preview(`${HEADER}2026-01-20T10:00:00Z,eth,3,,,\n2026-01-20T10:00:00Z,eth,3.0,,,\n`)
  expect([fact(twice.text, 'To add'), fact(twice.text, 'There already')]).toEqual(['1', '1'])

  const same = await preview(FILES.Koinly)
  expect(same.text).not.toContain(`${same.path}/add`)
  const anyway = await look(`${same.path}?anyway=true`)
  expect(anyway.text).toContain('Add 5 transactions (20 credits)')
  expect(anyway.text).toContain('They are added a second time.')
  expect((await confirm(anyway)).text).toContain('Added 5 transactions.')
  expect((await stored()).sort()).toEqual([...held, ...held, '01-20 3 ethereum'].sort())
  expect(fact((await preview(FILES.Koinly)).text, 'To add')).toBe('0')
})

test('a preview that left repeats out is no confirmation to add them', async () => {
  await confirm(await preview(FILES.Sluice))
  const longer = await preview(`${FILES.Sluice}2026-01-09,btc,9,,,\n`)
  const forged = { ...longer, text: `${longer.text}<input name="anyway" value="true">` }
  const refused = await confirm(forged)
  expect([refused.status, (await stored()).length]).toEqual([409, 2])
  expect(refused.text).toContain('it is to be added now')
})
