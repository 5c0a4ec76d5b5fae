import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDefiActivities } from '../../activities/defi/index.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { openDb } from '../../db/connect.ts'
import { provider } from '../../sandbox/solana/actors.ts'
import { drop, type SolanaToken, usdc } from '../../sandbox/solana/tokens.ts'
import { ANCHOR, startOtherChains } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'

// Liquidity on the simulated Solana, from a wallet's history to the endpoints.

const COINS: [id: string, priceUsd: string, token?: SolanaToken][] = [
  ['bitcoin', '80000'],
  ['ethereum', '2000'],
  ['solana', '200'],
  ['usd-coin', '1', usdc],
  ['sluice-drop', '0.5', drop],
]
const database = await testDatabase()
const api = await startApi({ database, routes: [getWalletDefi, getBalance] })
const { key } = await api.newAccount()
const defi = endpoint(api, { route: getWalletDefi, key })
const balance = endpoint(api, { route: getBalance, key })
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const { state, networkOf, asked, http, sources } = await startOtherChains()
const activities = createDefiActivities({
  pool,
  now: () => new Date(state.nowMs),
  heartbeat: () => {},
  nodes: () => Promise.reject(new Error('Solana has no nodes of that kind')),
  http,
  config: { sources },
})
afterAll(close)

beforeAll(async () => {
  const at = new Date(ANCHOR * 1_000)
  await activateNetworks(api.owner, ['solana'])
  for (const [id, priceUsd, token] of COINS) {
    const contracts = token ? [{ blockchain: 'solana', address: token.mint, decimals: token.decimals }] : []
    await insertCoin(api.owner, { id, priceUsd, at, contracts })
  }
  await syncDirectly({ pool, network: await networkOf(pool, 'solana'), address: provider })
})

const query = `address=${provider}&connectionId=solana`
const investmentsOf = async () => {
  const { body } = await defi(`/wallet/defi?${query}`)
  return body.protocols.flatMap((protocol: any) =>
    protocol.investments.map((one: any) => ({
      protocol: protocol.name,
      name: one.name,
      usd: one.value.USD,
      ...(one.healthRate && { health: one.healthRate }),
      assets: one.assets.map((asset: any) => [asset.title, asset.amount, asset.coinId]),
    })),
  )
}

test('positions are read in a few calls', async () => {
  asked.length = 0
  expect(await activities.readDueDefi({ olderThanSeconds: 300, limit: 10 })).toMatchObject({
    read: 1,
    failed: 0,
  })
  const methods = asked.map((body) => (JSON.parse(body) as { method: string }).method)
  const counts = [...Map.groupBy(methods, (method) => method)].map(([method, all]) => [method, all.length])
  expect(Object.fromEntries(counts)).toEqual({
    getEpochInfo: 1,
    getBlockTime: 1,
    // What programs keep for its NFTs; pools; their ticks and vaults; and decimals of a reward that it never held.
    getMultipleAccounts: expect.toSatisfy((calls: number) => calls >= 4 && calls <= 7),
    // Stake accounts and obligations.
    getProgramAccounts: 2,
    getTokenAccountsByOwner: 2,
  })
})

test('/wallet/defi has positions with fees and rewards', async () => {
  expect(await investmentsOf()).toEqual([
    {
      protocol: 'Orca',
      name: 'Liquidity 0.3%',
      usd: expect.closeTo((231.408753177 + 0.25) * 200 + 40_826.170667 + 30 + 2.5, 6),
      assets: [
        ['Supplied', 231.408753177, 'solana'],
        ['Supplied', 40_826.170667, 'usd-coin'],
        ['Unclaimed', 0.25, 'solana'],
        ['Unclaimed', 30, 'usd-coin'],
        ['Unclaimed', 5, 'sluice-drop'],
      ],
    },
    {
      protocol: 'Raydium',
      name: 'Liquidity 0.05%',
      usd: expect.closeTo((23.186240337 + 0.02) * 200 + 4_046.683516 + 4, 6),
      assets: [
        ['Supplied', 23.186240337, 'solana'],
        ['Supplied', 4_046.683516, 'usd-coin'],
        ['Unclaimed', 0.02, 'solana'],
        ['Unclaimed', 4, 'usd-coin'],
      ],
    },
    {
      protocol: 'Kamino Lend',
      name: 'Main Market',
      usd: expect.closeTo(20 * 200 - 1_000, 6),
      health: 2.4,
      assets: [
        ['Supplied', 20, 'solana'],
        ['Borrowed', -1_000, 'usd-coin'],
      ],
    },
  ])
})

test('what is supplied has left the balance, and NFTs have no value beside it', async () => {
  const { body } = await balance(`/wallet/balance?${query}`)
  const amounts = Object.fromEntries(body.map((row: any) => [row.coinId, row.amount]))
  expect(amounts['solana']).toBeCloseTo(300 - 231.408753178 - 23.186240338 - 20, 1)
  expect(amounts['usd-coin']).toBeCloseTo(50_000 - 40_826.170668 - 4_046.683517 + 800, 6)
  const nfts = body.filter(({ coinId }: any) => !['solana', 'usd-coin'].includes(coinId))
  expect(nfts).toEqual([1, 1].map((amount) => expect.objectContaining({ amount, isPriced: false })))
})
