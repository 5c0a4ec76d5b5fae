import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'

// Lists of a word that many items have. What is kept of them must follow every change that matters to it.

const ITEMS = 10_500
const database = await testDatabase()
const route = routes.find(({ path }) => path === '/prediction/markets')!
const api = await startApi({ database, routes: [route] })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 1_000_000 })
const get = endpoint(api, { route, key })
const run = (text: string) => query(database.ownerUrl, text)

beforeAll(async () => {
  await run(
    `with market as (
       insert into prediction_markets (slug, venue, venue_market_id, question, url, status, created_at, updated_at, source,
         fetched_at, liquidity_usd)
       select 'zebra-' || n, 'kalshi', 'zebra-' || n, case n % 50 when 0 then 'A lion' else 'A zebra' end,
         'https://venue.example', 'open', now(), now(), 'test', now(), n * 7919 % 100
       from generate_series(1, ${ITEMS} * 50 / 49 + 1) as n returning id
     ) insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
     select id, 0, 'zebra-' || id, 'Yes', 0.5, 'test', now() from market`,
  )
})

async function expectPages(): Promise<void> {
  const expected = await query<{ slug: string }>(
    database.ownerUrl,
    `select slug from prediction_markets where question = 'A zebra' and status = 'open'
     order by liquidity_usd desc, id desc`,
  )
  // Near the start, where an index is read, and in the middle, which is picked from the order of all.
  for (const page of [2, 40, 53, 60]) {
    const { body } = await get(`/prediction/markets?search=zebra&sortBy=liquidity&limit=100&page=${page}`)
    expect([page, body.data.map(({ slug }: { slug: string }) => slug)]).toEqual([
      page,
      expected.slice((page - 1) * 100, page * 100).map(({ slug }) => slug),
    ])
    expect(body.meta.itemCount).toBe(expected.length)
  }
}

const revisions = async () =>
  query<{ of: string; revision: string }>(
    database.ownerUrl,
    `select table_name as of, string_agg(revision::text, ' ' order by slot) as revision from table_revisions
     where table_name like 'prediction_markets%' group by 1 order by 1`,
  )

/** Which revisions a change gives: of the table, and of what its items are about. */
async function changedBy(text: string): Promise<string[]> {
  const before = new Map((await revisions()).map(({ of, revision }) => [of, revision]))
  await run(text)
  return (await revisions()).filter(({ of, revision }) => before.get(of) !== revision).map(({ of }) => of)
}

test('pages of a word that 10,500 markets have follow every change', { timeout: 120_000 }, async () => {
  await expectPages()
  for (const [change, revised] of [
    [`update prediction_markets set liquidity_usd = 1000 + id % 7 where id % 3 = 0`, ['prediction_markets']],
    [
      `update prediction_markets set status = 'resolved' where id % 1000 = 0`,
      ['prediction_markets', 'prediction_markets.labels'],
    ],
    [
      `update prediction_markets set question = 'A lion' where id % 1000 = 1`,
      ['prediction_markets', 'prediction_markets.labels'],
    ],
    [
      `update prediction_markets set question = 'A zebra', liquidity_usd = 50 where question = 'A lion' and id % 2 = 0`,
      ['prediction_markets', 'prediction_markets.labels'],
    ],
  ] as const) {
    expect([change, await changedBy(change)]).toEqual([change, revised])
    await expectPages()
  }
})
