import Coingecko from '@coingecko/coingecko-typescript'
import { expect, test } from 'vitest'
import { createNftActivities } from '../../activities/nft/index.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { collections } from '../../sandbox/nft/catalogue.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

const DAY_MS = 86_400_000
const database = await testDatabase()
const { deps, clock, env } = await startPriceWorld(database)
const rate = { requestsPerSecond: 400, burst: 50 }
Object.assign(deps.config.sources['coingecko']!, rate)
const one = collections.find(({ geckoId }) => geckoId !== null)!
const key = { networkId: one.network, address: one.address }
const rows = <T extends object>(sql: string, values: unknown[] = []) =>
  query<T & Record<string, unknown>>(database.ownerUrl, sql, values)
const stored = () =>
  rows<{ day: string; floor: string; coin_id: string }>(
    `select day::text, floor_price::text as floor, coin_id from nft_floor_days where address = $1 order by day`,
    [one.address],
  )
const read = (plan?: 'free' | 'full') => {
  const coingecko = { ...deps.config.sources['coingecko']!, ...(plan && { plan }) }
  const config = { ...deps.config, sources: { ...deps.config.sources, coingecko } }
  const activities = createNftActivities({
    ...deps,
    config,
    ...createNodes({ ...deps, usage: createUsageCounts(deps.now) }),
  })
  return activities.readCollections({ step: 'gecko', collections: [key] })
}
/** CoinGecko's own client. */
const client = new Coingecko({ baseURL: env.COINGECKO_URL, proAPIKey: 'paid' })
const told = async (days: string) => {
  const { floor_price_native: points } = await client.nfts.marketChart.get(one.geckoId!, { days })
  return points as [number, number][]
}

await insertCoin(deps.db, { id: 'ethereum', symbol: 'ETH', name: 'Ethereum', rank: 2, at: new Date() })
await rows(
  `insert into nft_collections (network_id, address, name, coin_id, source, fetched_at)
   values ($1, $2, $3, 'ethereum', 'test', now())`,
  [one.network, one.address, one.name],
)

test('without a paid plan no history is asked for, and the record is stored all the same', async () => {
  expect(await read('free')).toBe(0)
  expect(await stored()).toEqual([])
  expect(await rows('select gecko_id from nft_gecko_records')).toEqual([{ gecko_id: one.geckoId }])
})

test("with one, each day has the floor that CoinGecko's client reads at its start", async () => {
  expect(await read('full')).toBe(0)
  const points = (await told('max')).filter(([atMs]) => atMs % DAY_MS === 0)
  expect(points.length).toBeGreaterThan(365)
  expect(
    (await stored()).map(({ day, floor, coin_id }) => [Date.parse(day), Number(floor), coin_id]),
  ).toEqual(points.map(([atMs, price]) => [atMs, price, 'ethereum']))
})

test('later readings are of a month: they add days and correct those that changed', async () => {
  const before = await stored()
  await rows(`update nft_floor_days set floor_price = 1 where day in ($1, $2)`, [
    before[0]!.day,
    before.at(-3)!.day,
  ])
  clock.nowMs += 2 * DAY_MS
  expect(await read()).toBe(0)
  const after = await stored()
  expect(after).toHaveLength(before.length + 2)
  expect(after[0]!.floor).toBe('1')
  expect(after.slice(1, before.length)).toEqual(before.slice(1))
})

test('a day that has not ended keeps its first floor, also where a point of this moment follows', async () => {
  const last = (await told('30')).at(-1)!
  expect(last[0] % DAY_MS).not.toBe(0)
  expect((await stored()).at(-1)!.day).toBe(new Date(last[0]).toISOString().slice(0, 10))
})
