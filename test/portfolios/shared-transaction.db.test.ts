import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { share, sharingAccount } from './share-probe.ts'

// A share token names the portfolio of POST /portfolio/transaction, but only its owner may write.

const NOW = new Date('2026-03-10T12:00:00Z')
const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
let owner: Awaited<ReturnType<typeof sharingAccount>>
let reader: Awaited<ReturnType<typeof sharingAccount>>
let token: string
let locked: string

beforeAll(async () => {
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', rank: 1, priceUsd: '60000', at: NOW })
  await insertPrices(api.owner, {
    coinId: 'bitcoin',
    resolution: 'hour',
    points: [[new Date('2026-03-01T00:00:00Z'), '50000']],
  })
  owner = await sharingAccount(api, { portfolios: 2 })
  reader = await sharingAccount(api, { portfolios: 1 })
  token = (await share(api, { portfolioId: owner.portfolioIds[0]! })).token
  locked = (await share(api, { portfolioId: owner.portfolioIds[0]!, passcode: '123456' })).token
})

async function add(
  key: string,
  {
    headers = {},
    search = '',
    body = {},
  }: { headers?: Record<string, string>; search?: string; body?: object },
) {
  const response = await api.get(`/portfolio/transaction${search}`, key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ coinId: 'bitcoin', count: 1, ...body }),
  })
  const { message, error } = (await response.json()) as { message?: string; error?: string }
  const cost = Number(response.headers.get('x-credits-cost'))
  return { status: response.status, message, error, cost }
}
const refused = (status: number, text: string) => ({ status, message: text, error: text, cost: 0 })
const stored = () =>
  query<{ portfolio_id: string; n: number }>(
    database.ownerUrl,
    'select portfolio_id, count(*)::int as n from manual_transactions group by 1',
  )

test('refuses everyone but the owner and stores nothing', async () => {
  const forbidden = refused(403, 'You are not allowed to add transactions to this portfolio')
  expect(await add(reader.key, { headers: { sharetoken: token } })).toEqual(forbidden)
  expect(await add(reader.key, { search: `?shareToken=${token}` })).toEqual(forbidden)
  expect(await add(reader.key, { headers: { sharetoken: locked, passcode: '123456' } })).toEqual(forbidden)
  expect(await add(reader.key, { headers: { sharetoken: locked } })).toEqual(
    refused(403, 'Passcode required for this portfolio'),
  )
  const unknown = refused(404, 'Shared portfolio not found')
  expect(await add(reader.key, { headers: { sharetoken: createShareToken() } })).toEqual(unknown)
  expect(
    await add(reader.key, { headers: { sharetoken: token }, body: { portfolioId: reader.portfolioIds[0]! } }),
  ).toEqual(unknown)
  expect(await add(reader.key, {})).toEqual(refused(400, 'shareToken is required'))
  expect(await stored()).toEqual([])
})

test('lets the owner add to a manual portfolio only', async () => {
  const own = { sharetoken: token }
  expect(await add(owner.key, { headers: own })).toMatchObject({ status: 200, cost: 4 })
  expect(await add(owner.key, { search: `?shareToken=${token}` })).toMatchObject({ status: 200, cost: 4 })
  expect(await stored()).toEqual([{ portfolio_id: owner.portfolioIds[0], n: 2 }])
  await query(
    database.ownerUrl,
    `update portfolios set kind = 'wallet', address = '0x1', network_id = 'ethereum' where id = $1`,
    [owner.portfolioIds[1]],
  )
  const wallet = await share(api, { portfolioId: owner.portfolioIds[1]! })
  expect(await add(owner.key, { headers: { sharetoken: wallet.token } })).toEqual(
    refused(403, 'You are not allowed to add transactions to this portfolio'),
  )
})

test('an Idempotency-Key covers the token', async () => {
  const again = (sharetoken: string) => add(owner.key, { headers: { sharetoken, 'idempotency-key': 'one' } })
  const before = await stored()
  expect(await again(token)).toMatchObject({ status: 200, cost: 4 })
  expect(await again(token)).toMatchObject({ status: 200, cost: 0 })
  expect(await again(createShareToken())).toMatchObject({
    status: 400,
    message: 'Idempotency-Key was used with other parameters',
  })
  expect((await stored())[0]!.n).toBe(before[0]!.n + 1)
})
