import { afterAll, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import type { Explorer, ExplorerRequest, ExplorerStep } from '../../activities/chain/sources/explorer.ts'
import { sweepBalances } from '../../activities/chain/derive/sweep-balances.ts'
import { markToVerify } from '../../db/chain/touched.ts'
import { memoryExplorer } from '../chain/memory-explorer.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { chainRows, NETWORK } from '../follow/follow-directly.ts'
import { address } from '../setup/wallet-factories.ts'
import { topicOf } from '../upstreams/nodes/chain.ts'
import type { MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'
import { createDeriveWorld, other, pay, payer, wallet } from './derive-world.ts'

/** Native coins that a contract sends, of which receipts say nothing. */

const { pool, query, marks, balances, begin, derive, close } = await createDeriveWorld()
afterAll(close)

const contract = address(9)
/** `isNamed`: an event of the contract names the wallet. */
const payout = (value: bigint, isNamed = true): TransactionSpec => ({
  from: payer,
  to: contract,
  value,
  internals: [{ from: contract, to: wallet, value }],
  ...(isNamed && {
    logs: [{ address: contract, topics: [`0x${'5'.repeat(64)}`, topicOf(wallet)], data: '0x' }],
  }),
})
const rows = () => query('select type from wallet_transactions order by at, tx_index')
/** Explorers lag: the wallet waits for them. */
const waited = () => pool.query('update touched_wallets set next_at = now()')

/** An explorer of the world's chain that answers in a way of its own. */
const explorerOf =
  (answer: (request: ExplorerRequest, step: Explorer['step']) => Promise<ExplorerStep>) =>
  ({ chain }: { chain: MemoryChain }): Explorer => {
    const explorer = memoryExplorer(chain)
    return { ...explorer, step: (request) => answer(request, explorer.step) }
  }

/** What polling gives once the blocks are settled: it asks no explorer about newer ones. */
async function polledLater(world: Awaited<ReturnType<typeof begin>>) {
  for (let i = 0; i <= NETWORK.reorgDepth; i++) world.chain.mine()
  return ofWallets(await world.polledRows(wallet))
}

/** Explorers do not name the parents of blocks. */
const ofWallets = (rows: Record<string, string[]>) => ({ ...rows, blocks: [] })

test.each([
  ['with traces', true, false, 'deposit'],
  ['with an explorer', false, true, 'deposit'],
  ['with neither, as an opening', false, false, 'balance'],
] as const)('case 32 an internal transfer in is found %s', async (_, hasTraces, hasExplorer, type) => {
  const world = await begin(hasExplorer ? { explorer: ({ chain }) => memoryExplorer(chain) } : {})
  world.node.hasTraces = hasTraces
  world.chain.mine(pay(wallet, 100n))
  const follower = await world.followed(wallet)
  world.chain.mine(payout(7n))
  await follower.catchUp()
  await derive()
  // The balance is right at once, and what explains it may come later.
  expect(await balances(wallet)).toEqual(['107'])
  expect(await rows()).toEqual(['deposit'])
  expect(await query('select reason, next_at > now() from touched_wallets')).toEqual(['unexplained', true])
  world.chain.mine()
  await follower.catchUp()
  await waited()
  expect(await derive()).toBe(1)
  expect(await marks()).toEqual([])
  expect(await rows()).toEqual(['deposit', type])
  if (type === 'deposit') expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test('an explorer is asked once, for what contracts sent since the last balance alone', async () => {
  const asked: { fromBlock: number; toBlock: number; onlyInternals?: boolean }[] = []
  const world = await begin({
    explorer: explorerOf((request, step) => {
      asked.push(request)
      return step(request)
    }),
  })
  const follower = await world.followed(wallet)
  world.chain.mine(pay(wallet, 100n))
  await follower.catchUp()
  await derive()
  const verified = world.chain.head()
  // Nothing names the wallet, so it is found with the next transaction.
  world.chain.mine(payout(7n, false))
  await follower.catchUp()
  expect(await marks()).toEqual([])
  world.chain.mine(pay(wallet, 1n))
  await follower.catchUp()
  asked.length = 0
  await derive()
  expect(asked).toEqual([])
  await waited()
  await derive()
  expect(asked).toMatchObject([{ fromBlock: verified + 1, toBlock: verified + 2, onlyInternals: true }])
  expect(await rows()).toEqual(['deposit', 'deposit', 'deposit'])
  expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test('while no explorer answers, the wallet waits for one, and what it holds is shown', async () => {
  let isAway = true
  const world = await begin({
    explorer: explorerOf(async (request, step) => {
      if (isAway) throw new SourceUnavailable('etherscan', 'no answer')
      return await step(request)
    }),
  })
  world.chain.mine(pay(wallet, 100n))
  isAway = false
  const follower = await world.followed(wallet)
  isAway = true
  world.chain.mine(payout(7n))
  await follower.catchUp()
  await derive()
  for (let tries = 0; tries < 2; tries++) {
    await waited()
    await derive()
    expect(await balances(wallet)).toEqual(['107'])
    expect(await rows()).toEqual(['deposit'])
    expect(await query('select reason, next_at > now() from touched_wallets')).toEqual(['unexplained', true])
  }
  // What comes meanwhile is derived.
  world.chain.mine(pay(wallet, 5n))
  await follower.catchUp()
  await waited()
  await derive()
  expect(await balances(wallet)).toEqual(['112'])
  expect(await rows()).toEqual(['deposit', 'deposit'])
  isAway = false
  await waited()
  await derive()
  expect(await marks()).toEqual([])
  expect(await rows()).toEqual(['deposit', 'deposit', 'deposit'])
  expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test('what an explorer tells in parts is asked for until its end', async () => {
  const world = await begin({
    explorer: explorerOf((request, step) => step({ ...request, toBlock: request.fromBlock })),
  })
  const follower = await world.followed(wallet)
  world.chain.mine(payout(7n))
  world.chain.mine(payout(8n))
  world.chain.mine(payout(9n))
  await follower.catchUp()
  await derive()
  await waited()
  await derive()
  expect(await marks()).toEqual([])
  expect(await rows()).toEqual(['deposit', 'deposit', 'deposit'])
  await world.stop()
})

/** An explorer that knows blocks up to one. */
function lagging() {
  const known = { block: Infinity }
  const explorer = explorerOf(async (request, step) => {
    const found = await step({ ...request, toBlock: Math.min(request.toBlock, known.block) })
    return { ...found, through: request.toBlock }
  })
  return { known, explorer }
}

test('a wallet that is touched again waits for the explorers again', async () => {
  const { known, explorer } = lagging()
  const world = await begin({ explorer })
  const follower = await world.followed(wallet)
  known.block = world.chain.head()
  world.chain.mine(payout(7n))
  await follower.catchUp()
  await derive()
  world.chain.mine(pay(wallet, 5n))
  await follower.catchUp()
  await derive()
  expect(await rows()).toEqual(['deposit'])
  expect(await query('select reason, next_at > now() from touched_wallets')).toEqual(['unexplained', true])
  known.block = world.chain.head()
  await waited()
  await derive()
  expect(await rows()).toEqual(['deposit', 'deposit'])
  expect(await marks()).toEqual([])
  await world.stop()
})

test('after an opening the explorers are asked once more, and what they know then takes its place', async () => {
  const { known, explorer } = lagging()
  const world = await begin({ explorer })
  const follower = await world.followed(wallet)
  known.block = world.chain.head()
  world.chain.mine(payout(7n))
  await follower.catchUp()
  await derive()
  await waited()
  await derive()
  expect(await rows()).toEqual(['balance'])
  const state = 'select message, state from wallet_coverage'
  expect(await query(state)).toEqual([null, 'synced'])
  // A transaction in between does not end the wait.
  world.chain.mine(pay(wallet, 5n))
  await follower.catchUp()
  await derive()
  expect(await rows()).toEqual(['balance', 'deposit'])
  known.block = world.chain.head()
  await waited()
  await derive()
  expect(await rows()).toEqual(['deposit', 'deposit'])
  expect(await marks()).toEqual([])
  expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test.each([
  ['explorers know it', 0],
  ['explorers know it later', 1],
])('what a contract sent while a wallet was covered is no opening of its next sync: %s', async (_, lag) => {
  const { known, explorer } = lagging()
  const world = await begin({ explorer })
  const follower = await world.followed(wallet)
  const before = world.chain.head()
  world.chain.mine(payout(7n))
  for (let i = 0; i <= NETWORK.reorgDepth; i++) world.chain.mine()
  await follower.catchUp()
  if (lag) known.block = before
  // The follower falls behind, and the wallet is polled.
  await syncDirectly({ pool, network: world.network, address: wallet })
  if (lag) {
    expect(await rows()).toEqual(['balance'])
    known.block = Infinity
    await waited()
    await derive()
  }
  expect(await rows()).toEqual(['deposit'])
  await derive()
  await waited()
  await derive()
  expect(await marks()).toEqual([])
  expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test('a sync waits for explorers that do not answer, and opens nothing', async () => {
  let isAway = false
  const world = await begin({
    explorer: explorerOf(async (request, step) => {
      if (isAway && request.onlyInternals) throw new SourceUnavailable('etherscan', 'no answer')
      return await step(request)
    }),
  })
  const follower = await world.followed(wallet)
  world.chain.mine(payout(7n))
  for (let i = 0; i <= NETWORK.reorgDepth; i++) world.chain.mine()
  await follower.catchUp()
  isAway = true
  const sync = () => syncDirectly({ pool, network: world.network, address: wallet })
  await expect(sync()).rejects.toThrow(SourceUnavailable)
  expect(await rows()).toEqual([])
  isAway = false
  await sync()
  expect(await rows()).toEqual(['deposit'])
  await world.stop()
})

test('what arrives unseen and is sent on is an opening before it leaves, where nobody can tell', async () => {
  const world = await begin()
  const follower = await world.followed(wallet)
  world.chain.mine(payout(10n ** 18n, false))
  world.chain.mine({ from: wallet, to: other, value: 10n ** 17n })
  await follower.catchUp()
  await derive()
  await waited()
  await derive()
  expect(await rows()).toEqual(['balance', 'withdraw'])
  expect(await marks()).toEqual([])
  await world.stop()
})

test('a request to verify finds what nothing names', async () => {
  const world = await begin({ explorer: ({ chain }) => memoryExplorer(chain) })
  const follower = await world.followed(wallet)
  world.chain.mine(payout(7n, false))
  await follower.catchUp()
  expect(await marks()).toEqual([])
  await pool.query(`update wallet_syncs set synced_at = now() - interval '1 hour', balances_at = null`)
  expect(await markToVerify(pool, [{ address: wallet, networkId: 'ethereum' }])).toBe(1)
  await derive()
  expect(await balances(wallet)).toEqual(['7'])
  await waited()
  await derive()
  expect(await rows()).toEqual(['deposit'])
  expect(ofWallets(await chainRows(pool))).toEqual(await polledLater(world))
  await world.stop()
})

test('what a contract sends in a block that does not name the wallet is found by the next sweep', async () => {
  const world = await begin()
  world.node.hasTraces = true
  const follower = await world.followed(wallet, other)
  const sweep = async () => {
    for (let part = 0; part < 360; part++) await sweepBalances({ pool, network: world.network }, part)
  }
  world.chain.mine(pay(other, 3n), payout(7n, false))
  await follower.catchUp()
  await derive()
  expect(await balances(wallet)).toEqual([])
  // A follower by ranges has read the balances itself.
  await pool.query(`update network_follows set mode = 'ranges'`)
  await sweep()
  expect(await marks()).toEqual([])
  await pool.query(`update network_follows set mode = 'blocks'`)
  await sweep()
  expect(await marks()).toEqual([wallet])
  await derive()
  await waited()
  await derive()
  expect(await balances(wallet)).toEqual(['7'])
  expect(
    await query(`select type from wallet_transactions join wallets on id = wallet_id
    where address = '${wallet}'`),
  ).toEqual(['deposit'])
  await sweep()
  expect(await marks()).toEqual([])
  await world.stop()
})
