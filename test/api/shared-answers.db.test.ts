import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import type { Route } from '../../api/route.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { startFilledPredictionWorld } from '../prediction/prediction-world.ts'
import { startApi } from '../setup/api.ts'
import { query } from '../setup/query.ts'
import { fillShared, SHARED_REQUESTS } from './shared-world.ts'

// The promise of answers that all callers share: they are never behind the tables. An API that keeps them is held
// against one that reads the tables for each call, while rows change.

const { database, sync, clock: world } = await startFilledPredictionWorld()
await sync('kalshi')
const owner = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
afterAll(owner.close)
await fillShared(owner)

const clock = { nowMs: world.nowMs }
const now = () => new Date(clock.nowMs)
const shared = routes.filter((route) => route.shared)
const MINUTE_MS = 60_000
const endOfMinute = () => new Date((Math.floor(clock.nowMs / MINUTE_MS) + 1) * MINUTE_MS)
/** The same routes without what is kept. */
const reading = routes.map(({ shared: by, ...route }): Route => ({
  ...route,
  handler: (input, context) =>
    route.handler(input, { ...context, ...(by?.byMinute && { now: endOfMinute }) }),
}))
const keeping = await startApi({ database, routes, overrides: { now } })
const plain = await startApi({ database, routes: reading, overrides: { now } })
const { key } = await keeping.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })

const one = async (text: string) => (await query<{ one: string }>(database.ownerUrl, text))[0]!.one
const market = await one(
  `select slug as one from prediction_markets where venue = 'polymarket' order by volume_total_usd desc limit 1`,
)
const event = await one(`select slug as one from prediction_events order by id limit 1`)
const trader = await one(
  `select address as one from prediction_traders join prediction_positions on trader_id = prediction_traders.id limit 1`,
)
const article = await one('select id as one from news_items limit 1')
const REQUESTS = [
  ...SHARED_REQUESTS,
  `/news/${article}`,
  '/prediction/markets',
  '/prediction/markets?search=bitcoin&status=all&limit=5',
  '/prediction/events?sortBy=liquidity',
  `/prediction/events/${event}`,
  `/prediction/events/${event}/cross-venue`,
  '/prediction/search?q=bitcoin',
  '/prediction/tags',
  '/prediction/platform/overview',
  '/prediction/platform/volume?range=1y',
  '/prediction/platform/categories',
  '/prediction/traders',
  ...['', '/cross-venue', '/history?range=1m', '/holders', '/orderbook', '/trades'].map(
    (part) => `/prediction/markets/${market}${part}`,
  ),
  ...['', '/pnl', '/positions', '/trades'].map((part) => `/prediction/traders/${trader}${part}`),
]
const routeOf = (request: string) => {
  const [path] = request.split('?')
  const matches = (route: Route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path!)
  return shared.find(({ path: literal }) => literal === path) ?? shared.find(matches)
}

/** Status, headers about the data, and body of an answer, byte for byte. */
async function answerOf(api: typeof keeping, request: string) {
  const response = await api.get(request, key)
  const { headers } = response
  return [
    response.status,
    headers.get('x-data-as-of'),
    headers.get('x-price-as-of'),
    timeless(await response.text()),
  ]
}
/** Without the time of the call, which the two servers add at different places, and without its id. */
const timeless = (text: string) => text.replace(/,"(timestamp|requestId)":"[^"]+"(?=[,}])/, '')

const tables = [...new Set(shared.flatMap((route) => route.shared!.reads))]

test('every shared route answers, and its requests are known here', async () => {
  for (const request of REQUESTS)
    expect([request, (await answerOf(keeping, request))[0]]).toEqual([request, 200])
  expect(
    shared.filter((route) => !REQUESTS.some((request) => routeOf(request) === route)).map(({ path }) => path),
    'without a request in test/api/shared-world.ts',
  ).toEqual([])
})

test('a shared route reads no table but those it names: a role with rights on them alone can answer', async () => {
  await sql`create role only_named login password 'only_named'`.execute(owner.db)
  const url = new URL(database.apiUrl)
  url.username = 'only_named'
  url.password = 'only_named'
  const { db, close } = openReadonlyDb({ url: url.href, maxConnections: 4, applicationName: 'test' })
  const limited = await startApi({ database, routes: reading, overrides: { now, db } })
  const answered: unknown[] = []
  try {
    for (const request of REQUESTS) {
      const { reads } = routeOf(request)!.shared!
      await sql
        .raw(`revoke all on all tables in schema public from only_named;
        grant select on table_revisions, ${reads.join(', ')} to only_named`)
        .execute(owner.db)
      answered.push([request, (await answerOf(limited, request))[0]])
    }
    expect(answered).toEqual(REQUESTS.map((request) => [request, 200]))
  } finally {
    await close()
    await sql`drop owned by only_named`.execute(owner.db)
    await sql`drop role only_named`.execute(owner.db)
  }
})

test('each table that a shared route names gets a revision with each write, and no other table does', async () => {
  const noted = await query<{ table: string }>(
    database.ownerUrl,
    `select tgrelid::regclass::text as table from pg_trigger where tgname = 'note_revision' and tgparentid = 0`,
  )
  expect(noted.map(({ table }) => table).sort()).toEqual([...tables].sort())
})

test('a change is seen once it is committed, and not before', async () => {
  const before = await answerOf(keeping, '/fiats')
  await owner.db.transaction().execute(async (transaction) => {
    await sql`update fx_rates set per_usd = per_usd + 1`.execute(transaction)
    expect(await answerOf(keeping, '/fiats')).toEqual(before)
  })
  const after = await answerOf(keeping, '/fiats')
  expect(after).not.toEqual(before)
  expect(after).toEqual(await answerOf(plain, '/fiats'))
})

test('writers of one table do not wait for each other', async () => {
  const write = (currency: string) =>
    sql`update fx_rates set per_usd = per_usd + 1 where currency = ${currency}`
  await owner.db.transaction().execute(async (first) => {
    await write('EUR').execute(first)
    // It would wait for ever if both took one row of revisions.
    await write('GBP').execute(owner.db)
    expect(await answerOf(keeping, '/fiats')).toEqual(await answerOf(plain, '/fiats'))
  })
  expect(await answerOf(keeping, '/fiats')).toEqual(await answerOf(plain, '/fiats'))
})

test('a client that names its answer gets 304 for the same credits until the data changes', async () => {
  const first = await keeping.get('/fiats', key)
  const etag = first.headers.get('etag')!
  const same = await keeping.get('/fiats', key, { headers: { 'if-none-match': `"other", ${etag}` } })
  expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag])
  expect(same.headers.get('x-credits-cost')).toBe(first.headers.get('x-credits-cost'))
  await sql`update fx_rates set per_usd = per_usd + 1`.execute(owner.db)
  const changed = await keeping.get('/fiats', key, { headers: { 'if-none-match': etag } })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

interface Change {
  table: string
  kind: 'update' | 'delete'
  row: number
  column: number
}
const COLUMNS = await query<{ table: string; column: string; type: string }>(
  database.ownerUrl,
  `select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
   from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.oid = any($1::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
     and a.atttypid::regtype::text in ('numeric', 'text', 'boolean', 'timestamp with time zone', 'integer', 'smallint')`,
  [tables],
)
const OTHER: Record<string, (column: string) => string> = {
  numeric: (column) => `${column} * 1.25 + 1`,
  integer: (column) => `${column} + 1`,
  smallint: (column) => `${column} + 1`,
  text: (column) => `${column} || 'x'`,
  boolean: (column) => `not ${column}`,
  'timestamp with time zone': (column) => `${column} - interval '90 seconds'`,
}

/** Changes a row, or leaves everything as it was if a constraint refuses. */
async function make({ table, kind, row, column }: Change): Promise<void> {
  const columns = COLUMNS.filter((known) => known.table === table)
  const { column: name, type } = columns[column % columns.length]!
  const [found] = await query<{ rows: number }>(
    database.ownerUrl,
    `select count(*)::int as rows from ${table}`,
  )
  if (found!.rows === 0) return
  const where = `where (tableoid, ctid) = (select tableoid, ctid from ${table} offset ${row % found!.rows} limit 1)`
  const change =
    kind === 'delete' ? `delete from ${table}` : `update ${table} set ${name} = ${OTHER[type]!(name)}`
  await query(database.ownerUrl, `${change} ${where}`).catch((error: Error) => {
    if (!/constraint|violates|out of range/.test(error.message)) throw error
  })
}

const asks = fc.record({ ask: fc.constantFrom(...REQUESTS), times: fc.integer({ min: 1, max: 3 }) })
const changes = fc.record({
  table: fc.constantFrom(...tables),
  kind: fc.constantFrom('update' as const, 'update' as const, 'update' as const, 'delete' as const),
  row: fc.nat(1_000),
  column: fc.nat(30),
})
const waits = fc.record({ waitMs: fc.integer({ min: 1, max: 3 * MINUTE_MS }) })

test(
  'after any changes, answers are byte for byte those of a server that keeps none',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(asks, asks, changes, waits), { minLength: 20, maxLength: 60 }),
        async (steps) => {
          for (const step of steps)
            if ('waitMs' in step) clock.nowMs += step.waitMs
            else if ('table' in step) await make(step)
            else {
              const answers = await Promise.all(
                Array.from({ length: step.times }, () => answerOf(keeping, step.ask)),
              )
              const expected = await answerOf(plain, step.ask)
              for (const answer of answers) expect([step.ask, ...answer]).toEqual([step.ask, ...expected])
            }
        },
      ),
      { numRuns: 15 },
    )
  },
)

test.each([
  ['a minute', MINUTE_MS],
  ['an hour', 60 * MINUTE_MS],
  ['a day', 24 * 60 * MINUTE_MS],
  ['a year', 365 * 24 * 60 * MINUTE_MS],
])('after %s without a change, answers are those of a server that keeps none', async (_, waitMs) => {
  for (const request of REQUESTS) await answerOf(keeping, request)
  clock.nowMs += waitMs
  for (const request of REQUESTS)
    expect([request, ...(await answerOf(keeping, request))]).toEqual([
      request,
      ...(await answerOf(plain, request)),
    ])
})
