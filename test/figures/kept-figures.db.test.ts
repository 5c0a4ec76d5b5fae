import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOfMinute } from '../../api/figures/kept-figures.ts'
import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { setDegen } from '../../db/metering/write.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { share } from '../portfolios/share-probe.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { runs } from '../setup/runs.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { changesOf, GUARD, OF_HOLDERS, READ_ONCE } from './figures-world.ts'

// Answers with figures are kept until what they rest on changes. An API that keeps them is held against one that
// makes each answer anew, while every kind of data changes, each in the steps in which the service writes it.

const database = await testDatabase()
const clock = { nowMs: NOW.getTime() }
const now = () => new Date(clock.nowMs)
/** The same routes without what is kept. */
const making = routes.map(({ figures, ...route }): Route => {
  if (!figures) return route
  return {
    ...route,
    async handler(input, context) {
      const found = await figures.holdersOf(input, context)
      return route.handler(input, { ...context, ...(found && { now: () => endOfMinute(now()) }) })
    },
  }
})
const keeping = await startApi({ database, routes, overrides: { now } })
const plain = await startApi({ database, routes: making, overrides: { now } })
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(async () => {
  await Promise.all([owner.close(), ingest.close()])
})
const { key, accountId } = await keeping.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })
const other = await keeping.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })
const [W, V] = [address(1), address(2)]
const ids = { wallet: '', exchange: '', manual: '' }
const walletIds: string[] = []
let token = ''
const requests: string[] = []
let changes: ReturnType<typeof changesOf>

beforeAll(async () => {
  await insertMarket(keeping.owner, database.ownerUrl)
  await insertRates(keeping.owner, {
    currency: 'EUR',
    rates: [
      [at('01T00:00:00'), '0.8'],
      [at('09T00:00:00'), '0.9'],
    ],
  })
  await activateNetworks(keeping.owner, ['ethereum'])
  const world = portfolioWorld(database, { db: keeping.owner }, ingest, now)
  walletIds.push(
    await world.wallet(W, 'ethereum', [
      { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
      { at: at('05T06:00:00'), coinId: 'ethereum', amount: -0.5, priceUsd: 2_000 },
    ]),
    await world.wallet(V, 'ethereum', [
      { at: at('05T07:00:00'), coinId: 'ethereum', amount: 0.5, priceUsd: 2_000 },
      { at: at('10T07:00:00'), coinId: 'bitcoin', amount: 0.25, priceUsd: 59_000 },
    ]),
  )
  ids.wallet = await world.walletPortfolio(accountId, W, 'ethereum')
  await world.walletPortfolio(accountId, V, 'ethereum')
  await world.walletPortfolio(other.accountId, W, 'ethereum')
  ids.exchange = await world.exchangePortfolio(accountId, [
    ['deposit', at('03T06:00:00'), 'ETH', 1],
    ['deposit', at('03T07:00:00'), 'USDT', 100],
  ])
  ids.manual = await world.manualPortfolio(accountId, [
    { at: at('04T06:00:00'), coinId: 'ethereum', count: 3, priceUsd: 2_000 },
  ])
  await setDegen(keeping.owner, { accountId, degen: true })
  token = (await share(keeping, { portfolioId: ids.wallet })).token
  changes = changesOf(database, ingest, {
    owner: owner.db,
    world: { accountId, ids, walletIds },
    nowMs: () => clock.nowMs,
  })
  await changes['positions']!(1)
  await query(
    database.ownerUrl,
    `insert into defi_reads (wallet_id, network_id, complete_at, source, fetched_at) values ($1, 'ethereum', now(), 'test', now())`,
    [walletIds[1]],
  )
  await query(database.ownerUrl, GUARD)
  for (const of of ['', ...Object.values(ids).map((id) => `&portfolioId=${id}`), `&shareToken=${token}`])
    requests.push(
      `/portfolio/coins?includeRiskScore=true${of}`,
      `/portfolio/value?currency=EUR${of}`,
      `/portfolio/value?currency=BTC${of}`,
      `/portfolio/chart?type=24h${of}`,
      `/portfolio/chart?type=all${of}`,
      `/portfolio/pl/history?range=24h&interval=hourly${of}`,
      `/portfolio/pl/history?range=all&interval=daily&currency=EUR${of}`,
    )
  for (const [path, of] of [
    ['wallet', `address=${W}&connectionId=ethereum`],
    ['wallet', `address=${V}&connectionId=all`],
    ['exchange', `portfolioId=${ids.exchange}`],
  ])
    requests.push(
      `/${path}/pl?${of}`,
      `/${path}/chart?type=1w&${of}`,
      `/${path}/pl/history?range=1w&interval=daily&${of}`,
    )
})

/** Status, headers about the data, and body of an answer, byte for byte. */
async function answerOf(api: typeof keeping, request: string, ofKey = key) {
  const response = await api.get(request, ofKey)
  const names = ['x-data-as-of', 'x-price-as-of', 'x-sync-status', 'x-sync-pending']
  const text = await response.text()
  return [
    response.status,
    ...names.map((name) => response.headers.get(name)),
    response.status === 200 ? text : text.replace(/"requestId":"[^"]+"/, ''),
  ]
}

/** Calls of handlers of the keeping API, to see which answers were kept. */
async function madeDuring(work: () => Promise<unknown>): Promise<number> {
  const figures = keptRoutes.map((route) => ({ route, handler: route.handler }))
  let made = 0
  for (const { route, handler } of figures)
    route.handler = (...args) => {
      made++
      return handler(...args)
    }
  try {
    await work()
  } finally {
    for (const { route, handler } of figures) route.handler = handler
  }
  return made
}
const keptRoutes = routes.filter(({ figures }) => figures)

test('every route that keeps figures answers, and its requests are known here', async () => {
  for (const request of requests)
    expect([request, (await answerOf(keeping, request))[0]]).toEqual([request, 200])
  const asked = new Set(requests.map((request) => request.split('?')[0]))
  expect(keptRoutes.filter(({ path }) => !asked.has(path)).map(({ path }) => path)).toEqual([])
})

/** Works with an API that reads only what its role is granted. */
async function withLimited(
  ofRoutes: readonly Route[],
  work: (api: typeof keeping, grantOnly: (tables: readonly string[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await sql`create role only_named login password 'only_named'`.execute(owner.db)
  await sql`grant execute on function fold_coins to only_named`.execute(owner.db)
  const url = new URL(database.apiUrl)
  url.username = 'only_named'
  url.password = 'only_named'
  const { db, close } = openReadonlyDb({ url: url.href, maxConnections: 4, applicationName: 'test' })
  try {
    await work(await startApi({ database, routes: ofRoutes, overrides: { now, db } }), (tables) =>
      sql
        .raw(
          `revoke all on all tables in schema public from only_named; grant select on ${tables.join(', ')} to only_named`,
        )
        .execute(owner.db),
    )
  } finally {
    await close()
    await sql`drop owned by only_named`.execute(owner.db)
    await sql`drop role only_named`.execute(owner.db)
  }
}

test('a route with figures reads no table but those that it names and those of the holder', () =>
  withLimited(making, async (limited, grantOnly) => {
    const answered: unknown[] = []
    for (const request of requests) {
      const { reads } = keptRoutes.find(({ path }) => path === request.split('?')[0])!.figures!
      await grantOnly([...new Set([...reads, ...OF_HOLDERS])])
      answered.push([request, (await answerOf(limited, request))[0]])
    }
    expect(answered).toEqual(requests.map((request) => [request, 200]))
  }))

test('after a new price, what was read of the holders is not read again', () =>
  withLimited(routes, async (limited, grantOnly) => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
    `.execute(owner.db)
    const names = tables.map(({ name }) => name)
    await changes['everything computed']!(0)
    await grantOnly(names)
    for (const request of requests) expect((await answerOf(limited, request))[0]).toBe(200)
    for (const n of [0, 7, 14]) await changes['a quote']!(n)
    await grantOnly(names.filter((name) => !READ_ONCE.includes(name)))
    const answered = await Promise.all(requests.map((request) => answerOf(limited, request)))
    expect(answered).toEqual(await Promise.all(requests.map((request) => answerOf(plain, request))))
    // A change of a holder is read.
    await changes['everything computed']!(0)
    await changes['a movement']!(1)
    await changes['everything computed']!(0)
    expect((await answerOf(limited, '/portfolio/chart?type=all'))[0]).toBe(500)
  }))

test('an answer is made once until something changes, whoever asks for it', async () => {
  await changes['everything computed']!(0)
  const whole = `/portfolio/value?portfolioId=${ids.wallet}`
  const shared = `/portfolio/value?shareToken=${token}`
  const made = await madeDuring(async () => {
    const first = await answerOf(keeping, whole)
    expect(await answerOf(keeping, whole)).toEqual(first)
    expect(await answerOf(keeping, shared, other.key)).toEqual(first)
  })
  expect(made).toBe(1)
  expect(await madeDuring(() => Promise.all([1, 2, 3].map(() => answerOf(keeping, whole))))).toBe(0)
  await changes['a quote']!(0)
  expect(await madeDuring(() => Promise.all([1, 2, 3].map(() => answerOf(keeping, whole))))).toBe(1)
})

test('an answer stays made when other wallets and portfolios are asked for at the same time', async () => {
  await changes['everything computed']!(0)
  for (const request of requests) await answerOf(keeping, request)
  const inOrders = [requests, requests.toReversed(), requests]
  const all = () => Promise.all(inOrders.flat().map((request) => answerOf(keeping, request)))
  expect(await madeDuring(all)).toBe(0)
})

test('an answer of the same minute shows the times of its own call and of its data', async () => {
  await changes['everything computed']!(0)
  clock.nowMs += 60_000
  const history = '/portfolio/pl/history?range=24h&interval=hourly'
  const chart = '/portfolio/chart?type=24h'
  clock.nowMs -= 40_000
  await Promise.all([history, chart].map((path) => answerOf(keeping, path)))
  clock.nowMs += 25_000
  await query(database.ownerUrl, "update wallet_syncs set synced_at = synced_at + interval '1 second'")
  const made = await madeDuring(async () => {
    const [first, second] = await Promise.all([history, chart].map((path) => answerOf(keeping, path)))
    const { meta, result } = JSON.parse(first!.at(-1) as string)
    expect([meta.to, meta.from, result.at(-1).date]).toEqual([
      new Date(clock.nowMs).toISOString(),
      new Date(clock.nowMs - 86_400_000).toISOString(),
      new Date(clock.nowMs).toISOString(),
    ])
    expect(new Date(meta.lastSyncedAt).toISOString()).toBe(first![1])
    const points = JSON.parse(second!.at(-1) as string).result
    expect([points[0][0], points.at(-1)[0]]).toEqual([clock.nowMs - 86_400_000, clock.nowMs])
  })
  expect(made).toBe(0)
  clock.nowMs += 15_000
})

test('a wrong token, another account and a portfolio of another account find nothing that is kept', async () => {
  const request = `/portfolio/value?portfolioId=${ids.manual}`
  expect((await answerOf(keeping, request))[0]).toBe(200)
  expect((await answerOf(keeping, request, other.key))[0]).toBe(404)
  expect((await answerOf(keeping, `/portfolio/value?shareToken=${createShareToken()}`))[0]).toBe(404)
  expect((await answerOf(keeping, `/portfolio/value?portfolioId=${ids.manual}&shareToken=${token}`))[0]).toBe(
    404,
  )
  expect((await answerOf(keeping, '/portfolio/value', other.key)).at(-1)).not.toBe(
    (await answerOf(keeping, '/portfolio/value')).at(-1),
  )
})

test('a window of instants, and an earlier instant, are answered anew', async () => {
  const made = await madeDuring(async () => {
    for (let i = 0; i < 2; i++) {
      await answerOf(keeping, '/portfolio/pl/history?from=2026-03-02&to=2026-03-05&interval=daily')
      await answerOf(keeping, `/portfolio/value?asOf=${new Date(clock.nowMs).toISOString()}`)
    }
  })
  expect(made).toBe(4)
})

test('what changes while an answer is made is in the next one', async () => {
  await changes['everything computed']!(0)
  const request = '/portfolio/coins'
  const route = keptRoutes.find(({ path }) => path === request)!
  const { handler } = route
  const before = await answerOf(keeping, request)
  await changes['a quote']!(3)
  let begun = () => {}
  let go = () => {}
  const started = new Promise<void>((resolve) => (begun = resolve))
  const free = new Promise<void>((resolve) => (go = resolve))
  route.handler = async (...args) => {
    const answer = await handler(...args)
    begun()
    await free
    return answer
  }
  try {
    const first = answerOf(keeping, request)
    await started
    // The data is read, and the answer is not kept yet.
    await changes['a quote']!(0)
    route.handler = handler
    const after = await answerOf(keeping, request)
    expect(after).toEqual(await answerOf(plain, request))
    go()
    const late = await first
    expect([late.at(-1) === before.at(-1), late.at(-1) === after.at(-1)]).toEqual([false, false])
    expect(await answerOf(keeping, request)).toEqual(after)
  } finally {
    route.handler = handler
  }
})

const NAMES = Object.keys(
  changesOf(database, ingest, { owner: owner.db, world: { accountId, ids, walletIds }, nowMs: () => 0 }),
)
const change = fc.record({ what: fc.constantFrom(...NAMES), n: fc.nat(1_000) })
/** What is asked around a change of data that is complete, so that answers are kept, and what else happens then. */
const round = fc.record({
  asked: fc.uniqueArray(fc.nat(1_000), { minLength: 4, maxLength: 4 }),
  changes: fc.array(change, { minLength: 1, maxLength: 2 }),
  minutes: fc.constantFrom(0, 0, 0, 1, 90),
})

test(
  'after any changes, answers are byte for byte those of a server that keeps none',
  { timeout: 1_800_000 },
  async () => {
    let kept = 0
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 8, maxLength: 12 }), async (rounds) => {
        for (const { asked, changes: wanted, minutes } of rounds) {
          const own = asked.map((n) => requests[n % requests.length]!)
          const expectSame = async (after: unknown) => {
            const answers = await Promise.all(own.map((request) => answerOf(keeping, request)))
            const expected = await Promise.all(own.map((request) => answerOf(plain, request)))
            expect([after, ...answers]).toEqual([after, ...expected])
          }
          await changes['everything computed']!(0)
          clock.nowMs += minutes * 60_000
          await expectSame('computed')
          kept += own.length - (await madeDuring(() => expectSame('computed')))
          for (const one of wanted) {
            await changes[one.what]!(one.n)
            await expectSame(one)
          }
        }
      }),
      // What a run has written stays, so a shorter one would not be the same.
      { numRuns: runs({ short: 3, long: 100 }), endOnFailure: true },
    )
    expect(kept).toBeGreaterThan(0)
  },
)
