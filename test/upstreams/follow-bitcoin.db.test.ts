import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import { createBitcoinReader } from '../../activities/chain/follow/bitcoin-reader.ts'
import { createBitcoinWallets } from '../../activities/chain/follow/bitcoin-wallets.ts'
import { createFollower } from '../../activities/chain/follow/follow-head.ts'
import { createNetworks } from '../../activities/chain/networks.ts'
import { createEsploraApi } from '../../activities/chain/sources/esplora-api.ts'
import { createHttpClient } from '../../activities/http.ts'
import { beginFollow } from '../../db/chain/follows.ts'
import { openDb } from '../../db/connect.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { testDatabase } from '../setup/database.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { startEsplora } from './esplora.ts'
import { atPlanRates } from './plan-rates.ts'
import { simulatedGate } from './simulated-gate.ts'

// The follower of Bitcoin with the product's own rate limits against the strict double, a day in seconds.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const other = await testDatabase()
const polled = openDb({ url: other.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(() => Promise.all([close(), polled.close()]))

const DAY_S = 86_400
const { name: address } = bitcoinWallets[2]!

test('a day on the public Esplora: one request a minute, two a block, none refused, and no row is missing', async () => {
  const chain = createBitcoinChain({ market })
  const count = (at: number) => chain.of(address, at).length
  const days = Array.from({ length: 300 }, (_, day) => ANCHOR + day * DAY_S)
  const start = days.find((at) => count(at + DAY_S) - count(at) >= 2)!
  const clock = createClock(start * 1_000)
  const { url, refused, asked } = stopLater(await startEsplora({ clock, chain }))
  const sources = atPlanRates({ esplora: { url, key: null } })
  const gate = await simulatedGate({ database, clock, limits: sources })
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(() => gate.close())
  onTestFinished(() => http.close())
  const nodes = () => Promise.reject(new Error('Bitcoin has no nodes'))
  const networkOf = createNetworks({ pool, http, nodes, config: { sources }, now: () => new Date() })
  await syncDirectly({ pool, network: await networkOf('bitcoin'), address })

  const network = { id: 'bitcoin', source: 'esplora', reorgDepth: 100, blockMs: 600_000 }
  const wallets = createBitcoinWallets(createAddressSet())
  const reader = createBitcoinReader({ pool, api: createEsploraApi({ http, url }), wallets }, network)
  const { epoch } = await beginFollow(pool, 'bitcoin')
  const deps = {
    pool,
    reader,
    now: () => new Date(clock.now()),
    wait: () => Promise.resolve(),
    isEnding: () => false,
    mostBehind: 1_000,
  }
  const { step } = await createFollower(deps, { network, epoch })
  const follow = async (untilS: number) => {
    while (clock.now() < untilS * 1_000) clock.advance(await step())
  }
  await follow(start + 1_200)
  const first = chain.tipAt(clock.now() / 1_000)
  asked.length = 0
  await follow(start + DAY_S)
  const blocks = chain.tipAt(clock.now() / 1_000) - first
  const raw = asked.filter(({ path }) => path.endsWith('/raw')).length
  const tips = asked.filter(({ path }) => path === '/blocks/tip/hash').length
  expect(Math.abs(raw - blocks)).toBeLessThanOrEqual(1)
  expect(tips).toBeLessThanOrEqual(DAY_S / 60)
  expect(asked.length).toBeLessThan(tips + 2 * raw + 60)
  expect(refused).toEqual([])

  const reference = createNetworks({
    pool: polled.pool,
    http,
    nodes,
    config: { sources },
    now: () => new Date(),
  })
  await syncDirectly({ pool: polled.pool, network: await reference('bitcoin'), address })
  const rows = async (of: typeof pool) => {
    const { rows: found } = await of.query<{ text: string }>(
      `select concat_ws(' ', tx_hash, kind, position, from_address, to_address, raw, block_number, block_hash, at) as text
       from transfers order by 1`,
    )
    return found.map(({ text }) => text)
  }
  expect(await rows(pool)).toEqual(await rows(polled.pool))
  expect(count(clock.now() / 1_000) - count(start)).toBeGreaterThanOrEqual(2)
})
