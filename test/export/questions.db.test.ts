import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { QUESTIONS } from '../../export/questions.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { askCatalog } from './compare-examples.ts'
import { compareQuestions } from './compare-questions.ts'
import { exportWorld } from './export-world.ts'
import { insertQuestionsWorld, NOW } from './questions-world.ts'

// The views of export/questions/ return the figures of the API.

const database = await testDatabase()
const world = await exportWorld(database)
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const { key, accountId } = await api.newAccount({ credits: 1_000_000_000 })
const folder = world.newFolder()
const ask = (sql: string) => askCatalog(folder, `set timezone = 'Pacific/Auckland'`, sql)

beforeAll(async () => {
  await insertQuestionsWorld(database, { owner: api.owner, ingest, accountId })
  await world.run(folder)
  return () => ingest.close()
})

test('every question returns what the API returns', async () => {
  const answer = async (path: string) => {
    const response = await api.get(path, key)
    const body = await response.json()
    expect({ path, status: response.status, body }).toMatchObject({ status: 200 })
    return body
  }
  expect(await compareQuestions({ folder, answer })).toEqual({
    profit_by_month: 8,
    fees_by_coin: 2,
    gains_by_tax_year_and_lot: 8,
    time_weighted_return: 3,
    bitcoin_and_markets: 2,
    news_and_price: 41,
    inflow_by_counterparty: 2,
    gas_by_month: 1,
    nft_floor_moves: 1,
    event_prices_across_venues: 2,
  })
})

test('days and months are those of UTC in every time zone', async () => {
  expect(
    await ask('select address, month, transactions, amount::varchar as amount from gas_by_month'),
  ).toEqual([
    { address: expect.any(String), month: '2026-03-01', transactions: '2', amount: '0.003000000000000001' },
  ])
  const [first] = await ask('select min(day) as day, count(*)::int as days from nft_floor_moves')
  expect(first).toEqual({ day: '2026-04-20', days: 11 })
})

test('each question says what each of its columns is', async () => {
  expect(QUESTIONS).toHaveLength(10)
  for (const { name, description, columns } of QUESTIONS) {
    const found = await ask(`select column_name as name from (describe ${name})`)
    expect(Object.keys(columns), name).toEqual(found.map((column) => column['name']))
    expect(description).toMatch(/\/[a-z]+/)
  }
})
