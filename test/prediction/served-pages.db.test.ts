import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertOutcomes, insertRows } from './prediction-rows.ts'

const database = await testDatabase()
const mine = routes.filter(({ path }) => path.startsWith('/prediction/'))
const api = await startApi({ database, routes: mine })
const { key } = await api.newAccount()
const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(database, table, rows)
const ADDRESS = `0x${'a'.repeat(40)}`

const get = async (declared: string, path = declared) => {
  const route = mine.find((one) => one.path === `/prediction${declared}`)!
  return (await endpoint(api, { route, key })(`/prediction${path}`)).body.data
}

beforeAll(async () => {
  await insert('prediction_markets', [
    { id: 1, venue: 'polymarket', open_interest_usd: 100 },
    { id: 2, venue: 'polymarket' },
  ])
  for (const id of [1, 2]) await insertOutcomes(database, id, { Yes: 0.4, No: 0.6 })
  await insert('prediction_traders', [{ id: 1, address: ADDRESS, name: 'Ann' }])
  await insert(
    'prediction_tags',
    [1, 2, 3].map((n) => ({ slug: `tag-${n}`, markets_count: n })),
  )
  await insert(
    'prediction_events',
    [1, 2, 3].map((id) => ({ id, venue: 'polymarket', volume_24h_usd: id })),
  )
  await insert('prediction_counts', [
    { kind: 'event', venue: '', status: 'open', category: '', items: 3, open_interest_usd: 0 },
  ])
  await insert(
    'prediction_trades',
    [1, 2, 3].map((n) => ({
      market_id: n === 2 ? 2 : 1,
      trader_id: 1,
      at: `2026-06-0${n}T00:00:00Z`,
      id: `00000000-0000-4000-8000-00000000000${n}`,
      outcome: 0,
      side: 'buy',
      price: 0.5,
      size: 2 * n,
      value_usd: n,
      is_block: false,
    })),
  )
  await insert('prediction_holders', [
    { market_id: 1, outcome: 0, rank: 1, trader_id: 1, shares: 20 },
    { market_id: 1, outcome: 1, rank: 1, trader_id: 1, shares: 50 },
  ])
  await insert('prediction_positions', [{ trader_id: 1, market_id: 1, bought_shares: 10, bought_usd: 3 }])
})

test('the second page of a list goes on where the first one ends', async () => {
  const slugs = (rows: { slug: string }[]) => rows.map(({ slug }) => slug)
  expect(slugs(await get('/tags', '/tags?limit=2'))).toEqual(['tag-3', 'tag-2'])
  expect(slugs(await get('/tags', '/tags?limit=2&page=2'))).toEqual(['tag-1'])
  expect(slugs(await get('/events', '/events?limit=2'))).toEqual(['event-3', 'event-2'])
  expect(slugs(await get('/events', '/events?limit=2&page=2'))).toEqual(['event-1'])
})

test('the trades of a trader are those of all markets, or of one', async () => {
  const trades = async (rest: string) =>
    (await get('/traders/{address}/trades', `/traders/${ADDRESS}/trades?${rest}`)).map(
      ({ value }: { value: number }) => value,
    )
  expect(await trades('limit=2')).toEqual([3, 2])
  expect(await trades('limit=2&page=2')).toEqual([1])
  expect(await trades('marketSlug=market-1')).toEqual([3, 1])
})

test('a holder has what its shares are worth, their profit and their part of all', async () => {
  const trader = { address: ADDRESS, name: 'Ann', avatar: null }
  const [yes, no] = await get('/markets/{slug}/holders', '/markets/market-1/holders')
  expect(yes.holders).toEqual([
    {
      rank: 1,
      trader,
      shares: 20,
      value: 8,
      avgPrice: 0.3,
      unrealizedPnl: expect.closeTo(2, 9),
      sharePercent: 20,
    },
  ])
  // Got without a purchase that is known.
  expect(no.holders).toEqual([
    { rank: 1, trader, shares: 50, value: 30, avgPrice: null, unrealizedPnl: null, sharePercent: 50 },
  ])
})
