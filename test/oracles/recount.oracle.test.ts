import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { seedSandboxCoins } from '../chain/seed-sandbox-coins.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { switchedNode } from '../chain/two-branches.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { chainRows, follow, NETWORK } from '../follow/follow-directly.ts'
import { httpNode } from '../follow/http-node.ts'
import { type Anvil, startAnvil } from '../setup/anvil.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'
import { DAI, startTraffic, USDC, WALLETS, WETH } from './mixed-traffic.ts'
import { recountChain } from './recount-chain.ts'

// An hour of mixed traffic on a real node, with reorgs by its snapshots. What a follower and the loop that derives make
// of it is served as an independent recount of the chain has it, and is stored as polling from nothing stores it.

const SEED = Number(process.env['RECOUNT_SEED'] ?? 3)
const BLOCKS = 300
const { id: networkId, reorgDepth } = NETWORK
const [database, other] = [await testDatabase(), await testDatabase()]
const [followed, polled] = [database, other].map(({ ingestUrl }) =>
  openDb({ url: ingestUrl, maxConnections: 6, applicationName: 'test' }),
) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>]
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'enterprise' })
let anvil: Anvil
let node: Awaited<ReturnType<typeof switchedNode>>
let reorgs = 0

afterAll(async () => {
  await Promise.all([followed.close(), polled.close()])
  await node?.stop()
  await anvil?.stop()
})

beforeAll(async () => {
  for (const { ownerUrl } of [database, other]) await seedSandboxCoins(ownerUrl)
  await activateNetworks(api.owner, [networkId])
  const start = String(Math.floor(Date.now() / 1_000) - 3_600 - 60 * 12)
  anvil = await startAnvil([
    '--no-mining',
    '--order',
    'fifo',
    '--auto-impersonate',
    '--hardfork',
    'cancun',
    '--chain-id',
    '1',
    '--timestamp',
    start,
  ])
  // As on free plans, there are no traces.
  node = await switchedNode(anvil, /^(trace|debug)_/)
  const random = createRandom(SEED)
  const traffic = await startTraffic(anvil, random)
  await traffic.blocks(reorgDepth + 5)
  const network = await testNetwork(followed.pool, { networkId, url: node.url, reorgDepth })
  for (const address of WALLETS) await syncDirectly({ pool: followed.pool, network, address })
  const follower = await follow(
    { pool: followed.pool, node: httpNode(node.url) },
    { ...NETWORK, contracts: { wrapped: WETH.address, entryPoints: [] } },
  )
  await follower.catchUp()
  for (let mined = 0; mined < BLOCKS;) {
    const depth = random.integer(reorgDepth)
    const snapshot: unknown = await anvil.call('evm_snapshot')
    const blocks = 1 + depth
    await traffic.blocks(blocks)
    await follower.catchUp()
    if (random.chance(0.7)) await deriveAll({ pool: followed.pool, network })
    mined += blocks
    if (!random.chance(0.35)) continue
    // Another branch from the snapshot on, longer by a block.
    await anvil.call('evm_revert', snapshot)
    await traffic.blocks(blocks + 1)
    await follower.catchUp()
    mined++
    reorgs++
  }
  await deriveAll({ pool: followed.pool, network })
}, 900_000)

test('E4 transactions and fees are served as a recount of the chain has them', async () => {
  expect(reorgs).toBeGreaterThan(5)
  for (const [wallet, { transactions }] of await recount()) {
    expect(transactions.length).toBeGreaterThan(50)
    expect((await servedTransactions(wallet)).toReversed()).toEqual(transactions)
  }
})

test('E4 balances are served as the node has them', async () => {
  for (const [wallet, { balances }] of await recount()) {
    const answer = await api.get(`/wallet/balance?address=${wallet}&connectionId=${networkId}`, key)
    const served = (await answer.json()) as { coinId: string; amount: number }[]
    expect(Object.fromEntries(served.map(({ coinId, amount }) => [coinId, amount]))).toEqual(balances)
  }
})

test('E4 case 37 the same rows are stored as by polling from nothing', async () => {
  const network = await testNetwork(polled.pool, { networkId, url: node.url, reorgDepth })
  for (const address of WALLETS) await syncDirectly({ pool: polled.pool, network, address })
  expect(await chainRows(followed.pool)).toEqual(await chainRows(polled.pool))
})

const TOKENS = [USDC, DAI, WETH].map(({ address, coinId, decimals }) => ({
  address,
  // Wrapped coins count as what they wrap.
  coin: address === WETH.address ? 'ethereum' : coinId!,
  decimals,
}))
const recount = () =>
  recountChain({
    url: anvil.url,
    wallets: WALLETS,
    native: 'ethereum',
    tokens: TOKENS,
    wrapped: WETH.address,
  })

interface ServedItem {
  hash: { id: string }
  fee?: { count: number }
  transactions: { action: string; items: { count: number; coin?: { id: string } }[] }[]
}

/** All pages, newest first. */
async function servedTransactions(wallet: string) {
  const all: ServedItem[] = []
  for (let page = 1; ; page++) {
    const answer = await api.get(
      `/wallet/transactions?address=${wallet}&connectionId=${networkId}&limit=100&page=${page}`,
      key,
    )
    const { result } = (await answer.json()) as { result: ServedItem[] }
    all.push(...result)
    if (result.length < 100) break
  }
  return all.map(({ hash, fee, transactions }) => {
    const moved: Record<string, number> = {}
    for (const { count, coin } of transactions.flatMap(({ items }) => items))
      moved[coin!.id] = (moved[coin!.id] ?? 0) + count
    const changed = Object.fromEntries(Object.entries(moved).filter(([, count]) => count !== 0))
    return { hash: hash.id, moved: changed, fee: fee?.count ?? null }
  })
}
