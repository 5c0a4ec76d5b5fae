import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createDefiActivities } from '../../activities/defi/index.ts'
import { createPricesActivities } from '../../activities/prices/index.ts'
import { readWorkerConfig } from '../../activities/config.ts'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { openDb } from '../../db/connect.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { wallets } from '../../sandbox/chain/actors.ts'
import { historyDays } from '../../sandbox/chain/anvil-args.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { coins } from '../../sandbox/market/coins.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import type { refreshDefi } from '../../workflows/defi/refresh-defi.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { Chains } from '../sandbox/chains.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { insertTransactions, insertWallet } from '../setup/wallet-factories.ts'
import { startWorker } from '../setup/worker.ts'

const SEED = 5
const NETWORKS: NetworkId[] = ['ethereum', 'base-wallet']
const database = await testDatabase()
const prices = await startPriceWorld(database)
const api = await startApi({ database, routes: [getWalletDefi] })
const { key } = await api.newAccount()
const defi = endpoint(api, { route: getWalletDefi, key })
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
const folder = mkdtempSync(join(tmpdir(), 'sluice-defi-'))
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const addressOf = (label: string) => wallets.find((wallet) => wallet.label === label)!.address
let chains: Chains
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  chains = await startChains(folder)
  stops.push(() => chains.stop())
  await fillChains(chains, { SANDBOX_SCALE: '0.02', SANDBOX_SEED: String(SEED) })
  await seedCoins()
  for (const { address } of wallets)
    await insertWallet(db, { address, syncs: { ethereum: new Date(), 'base-wallet': new Date() } })
  await markActiveNetworks(db, NETWORKS)
  await startDefiWorker()
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  await close()
})

/** Inserts the sandbox coins at the prices at which the positions were placed. */
async function seedCoins(): Promise<void> {
  const genesis = (await chains.rpcs.ethereum.call('eth_getBlockByNumber', '0x0', false)) as {
    timestamp: string
  }
  const anchor = Number(genesis.timestamp) + historyDays * 86_400
  const market = createMarket({ seed: SEED, anchor })
  for (const id of [
    'bitcoin',
    'ethereum',
    'weth',
    'usd-coin',
    'dai',
    'wrapped-bitcoin',
    'aave',
    'staked-ether',
  ]) {
    const coin = coins.find((one) => one.id === id)!
    // `platform` is the name of the network in coin lists.
    const contracts = networks.flatMap(({ platform: blockchain }) => {
      const contract = coin.platforms[blockchain]
      return contract ? [{ blockchain, ...contract }] : []
    })
    const priceUsd = String(market.priceUsd(id, anchor - 10 * 86_400))
    await insertCoin(api.owner, { id, symbol: coin.symbol, priceUsd, contracts, at: new Date() })
  }
}

async function startDefiWorker(): Promise<void> {
  const config = readWorkerConfig({
    INGEST_DATABASE_URL: database.ingestUrl,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    ...chains.env,
  })
  const nodeDeps = { pool, config, now: () => new Date(), heartbeat: () => {} }
  worker = await startWorker({
    taskQueue: 'defi-test',
    activities: {
      ...createPricesActivities(prices.deps),
      ...createDefiActivities({
        ...nodeDeps,
        http: prices.deps.http,
        ...createNodes({ ...nodeDeps, usage: createUsageCounts(nodeDeps.now) }),
      }),
    },
  })
  stops.push(() => worker.stop())
}

const refresh = () => worker.run<typeof refreshDefi>('refreshDefi', { olderThanSeconds: 300, limit: 100 })

test('reads every synced wallet of both chains once, and then only those that something happened to', async () => {
  expect(await refresh()).toEqual({ read: 24, failed: 0 })
  expect(await refresh()).toEqual({ read: 0, failed: 0 })
  const { rows } = await pool.query(
    `select count(*)::integer as reads, count(failure)::integer as failures, count(distinct block_hash)::integer as blocks
     from defi_reads`,
  )
  // Nothing is mined, so there are only the two heads.
  expect(rows).toEqual([{ reads: 24, failures: 0, blocks: 2 }])
  await pool.query(`update wallet_syncs set synced_at = now() where network_id = 'base-wallet'`)
  expect(await refresh()).toEqual({ read: 0, failed: 0 })
  const { rows: one } = await pool.query<{ wallet_id: string }>('select wallet_id from wallet_syncs limit 1')
  await insertTransactions(api.owner, {
    walletId: one[0]!.wallet_id,
    transactions: [{ networkId: 'base-wallet', at: new Date(), hash: '0x01' }],
  })
  // A read of an older block does not have it.
  await pool.query('update defi_marks set block_number = 1')
  expect(await refresh()).toEqual({ read: 1, failed: 0 })
  expect(await refresh()).toEqual({ read: 0, failed: 0 })
})

/** Value after ten days of interest; `percent` is per year. */
const grown = (usd: number, percent: number) => usd * (1 + (percent / 100) * (10 / 365))

test('/wallet/defi returns the placed values plus interest', async () => {
  const { body } = await defi(`/wallet/defi?address=${addressOf('DeFi')}&connectionId=all`)
  const worth = (protocol: string, name: string) => {
    const { investments } = body.protocols.find(({ id }: { id: string }) => id.startsWith(`${protocol}:`))
    return investments
      .filter((one: { name: string }) => one.name === name)
      .map((one: { value: { USD: number } }) => one.value.USD)
  }
  const near = (found: number[], expected: number[]) => {
    expect(found).toHaveLength(expected.length)
    found.toSorted((a, b) => a - b).forEach((usd, i) => expect(usd / expected[i]!).toBeCloseTo(1, 2))
  }
  near(worth('aave-v3', 'Lending, Core market'), [grown(42_000, 3) - grown(14_000, 5)])
  near(worth('compound-v3', 'Lending, USDC market'), [24_000 - grown(9_000, 6)])
  near(worth('uniswap-v3', 'Liquidity 0.05%'), [12, 4_003, 16_040])
  const etherUsd = Number(
    (await pool.query(`select price_usd from coin_quotes where coin_id = 'ethereum'`)).rows[0].price_usd,
  )
  near(worth('lido', 'Staked ETH'), [grown(3.2 * 1.17, 3) * etherUsd])
  near(worth('lido', 'Wrapped staked ETH'), [grown(0.8 * 1.17, 3) * etherUsd])
  near(worth('lido', 'Withdrawal requests'), [1.8 * etherUsd])
  near(worth('aave-staking', 'Staked AAVE'), [5_000])

  const [lending] = body.protocols[0].investments
  expect(lending.healthRate).toBeGreaterThan(1.5)
  expect(lending.debtRatio).toBeCloseTo(14_000 / 42_000, 2)
  const staked = body.protocols.find(({ name }: { name: string }) => name === 'Aave Staking').investments[0]
  expect(Date.parse(staked.unlockAt)).toBeGreaterThan(Date.now() + 9 * 86_400_000)
  const total = body.protocols.reduce(
    (sum: number, one: { totalValue: { USD: number } }) => sum + one.totalValue.USD,
    0,
  )
  expect(body.totalAssets.USD / total).toBeCloseTo(1, 9)
  expect(body.protocols.map(({ chain }: { chain: string }) => chain)).toContain('base')
})

test('a token outside all coin lists is priced by its contract once a position holds it', async () => {
  const { body } = await defi(`/wallet/defi?address=${addressOf('Airdrop hunter')}&connectionId=ethereum`)
  const [pool] = body.protocols[0].investments
  const moss = pool.assets.find(({ symbol }: { symbol: string }) => symbol === 'MOSS')
  expect(moss.coinId).toMatch(/^0x0b5c[0-9a-f]{36}_ethereum$/)
  expect(moss.price.USD).toBeGreaterThan(0)
  expect(pool.value.USD).toBeGreaterThan(0)
  const hours = await prices.deps.pool.query(
    `select from price_hours where coin_id = $1 and at between now() - interval '2 hours' and now()`,
    [moss.coinId],
  )
  expect(hours.rowCount).toBeGreaterThan(0)
})

test('a wallet without placed positions has no protocols', async () => {
  const { body } = await defi(`/wallet/defi?address=${addressOf('Collector')}&connectionId=all`)
  expect(body).toEqual({ totalAssets: { USD: 0, BTC: 0, ETH: 0 }, protocols: [] })
})
