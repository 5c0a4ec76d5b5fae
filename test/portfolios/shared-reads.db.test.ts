import { beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { setDegen } from '../../db/metering/write.ts'
import { targetsOf } from '../api/well-spelled-requests.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'
import { comparable, share } from './share-probe.ts'

// Every read of a shared portfolio returns to its readers what its owner gets, and charges them.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const owner = await api.newAccount({ plan: 'pro' })
const reader = await api.newAccount({ plan: 'pro' })
const PASSCODE = '000042'
const shared: Record<string, { id: string; token: string }> = {}
let readersOwn: string

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  await setDegen(api.owner, { accountId: owner.accountId, degen: true })
  await world.wallet(address(1), 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
    { at: at('05T06:00:00'), coinId: 'ethereum', amount: -0.5, priceUsd: 2_000 },
  ])
  const bought = (count: number) => ({ at: at('04T06:00:00'), coinId: 'bitcoin', count, priceUsd: 53_000 })
  const ids = {
    wallet: await world.walletPortfolio(owner.accountId, address(1), 'ethereum'),
    exchange: await world.exchangePortfolio(owner.accountId, [
      ['deposit', at('02T06:00:00'), 'USDT', 10_000],
      ['fill', at('03T06:00:00'), 'BTC', 0.1, ['USDT', -5_200]],
    ]),
    manual: await world.manualPortfolio(owner.accountId, [bought(1)], { costMethod: 'fifo' }),
  }
  for (const [kind, id] of Object.entries(ids))
    shared[kind] = { id, token: (await share(api, { portfolioId: id, passcode: PASSCODE })).token }
  readersOwn = await world.manualPortfolio(reader.accountId, [bought(7)])
  return () => ingest.close()
})

const reads = routes.filter(({ path, headers }) => path.startsWith('/portfolio/') && headers !== undefined)
const NEEDED: Record<string, string> = {
  '/portfolio/report': '&year=2026',
  '/portfolio/chart': '&type=all',
  '/portfolio/transactions': '&currency=USD',
  '/portfolio/pl/history': '&range=all&interval=daily',
  '/portfolio/explain': `&range=all&interval=daily&date=${at('06T00:00:00').toISOString()}`,
}

/** All requests, reads and writes, that take the id of a portfolio. */
const takers: [method: string, at: (id: string) => string][] = [
  ...targetsOf(openApiDocument(routes))
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'portfolioId'))
    .map(({ at: path }): [string, (id: string) => string] => [
      'GET',
      (text) => path({ name: 'portfolioId', text }),
    ]),
  ['PATCH', (id) => `/portfolio/sync?portfolioId=${id}`],
  ['PATCH', (id) => `/exchange/sync?portfolioId=${id}`],
  ['DELETE', (id) => `/portfolio/${id}`],
]

test.each(takers.map(([method, at]) => [method, at('ID'), at] as const))(
  'S1 %s %s: the portfolio of another account gets the same answer as an unknown one',
  async (method, _name, path) => {
    const ask = async (id: string, key = reader.key) => {
      const answer = await comparable(await api.get(path(id), key, { method }))
      return JSON.parse(JSON.stringify(answer).replaceAll(id, 'ID')) as typeof answer
    }
    const nobodys = await ask('01990000-0000-7000-8000-00000000ffff')
    expect(nobodys).toMatchObject({ status: 404, body: { message: "Portfolio with id 'ID' not found" } })
    for (const { id } of Object.values(shared)) expect(await ask(id)).toEqual(nobodys)
    // The owner finds at least one of them.
    if (method !== 'GET') return
    const own = await Promise.all(Object.values(shared).map(({ id }) => ask(id, owner.key)))
    expect(own.filter(({ body }) => body['message'] !== nobodys.body['message'])).not.toEqual([])
  },
)

test('reads that take a portfolio id also take a share token', () => {
  expect(reads.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/portfolio/value',
      '/portfolio/coins',
      '/portfolio/chart',
      '/portfolio/transactions',
      '/portfolio/defi',
      '/portfolio/snapshot/items',
      '/portfolio/pl/history',
    ]),
  )
})

describe.each(reads.filter(({ method }) => method === 'GET'))('GET $path', ({ path, credits }) => {
  const ask = async (search: string, key: string, headers: Record<string, string> = {}) => {
    const response = await api.get(`${path}?${search}${NEEDED[path] ?? ''}`, key, { headers })
    const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
    const cost = Number(response.headers.get('x-credits-cost'))
    return { status: response.status, body, cost, asOf: response.headers.get('x-data-as-of') }
  }
  const spent = async (accountId: string) =>
    (
      await query<{ n: number }>(
        database.ownerUrl,
        'select coalesce(sum(credits), 0)::int as n from ledger_entries where account_id = $1',
        [accountId],
      )
    )[0]!.n

  test.each(['wallet', 'exchange', 'manual'])(
    'returns a shared %s portfolio as its owner sees it',
    async (kind) => {
      const { id, token } = shared[kind]!
      const own = await ask(`portfolioId=${id}`, owner.key)
      expect(own.status).toBe(200)
      const before = [await spent(owner.accountId), await spent(reader.accountId)]
      const headers = { sharetoken: token, passcode: PASSCODE }
      expect(await ask('', reader.key, headers)).toEqual(own)
      expect(await ask(`shareToken=${token}&passcode=${PASSCODE}`, reader.key)).toEqual(own)
      expect(await ask(`portfolioId=${id}`, reader.key, headers)).toEqual(own)
      expect([await spent(owner.accountId), await spent(reader.accountId)]).toEqual([
        before[0],
        before[1]! + 3 * credits,
      ])
      expect(await ask(`portfolioId=${readersOwn}`, reader.key, headers)).toMatchObject({
        status: 404,
        cost: 0,
        body: { error: 'Shared portfolio not found' },
      })
    },
  )

  test('returns 403 without the passcode and 404 with the id alone', async () => {
    const { id, token } = shared['manual']!
    expect(await ask('', reader.key, { sharetoken: token })).toMatchObject({
      status: 403,
      cost: 0,
      body: { error: 'Passcode required for this portfolio' },
    })
    expect(await ask(`portfolioId=${id}&passcode=${PASSCODE}`, reader.key)).toMatchObject({
      status: 404,
      cost: 0,
      body: { message: `Portfolio with id '${id}' not found` },
    })
  })
})

test('shared values are the figures of the owner', async () => {
  const value = async (headers: Record<string, string>) => {
    const response = await api.get('/portfolio/value', reader.key, { headers })
    return ((await response.json()) as { totalValue: number }).totalValue
  }
  const of = (kind: string) => value({ sharetoken: shared[kind]!.token, passcode: PASSCODE })
  expect([await of('wallet'), await of('exchange'), await of('manual'), await value({})]).toEqual([
    1.5 * 2_000,
    0.1 * 59_000 + 4_800,
    59_000,
    7 * 59_000,
  ])
})
