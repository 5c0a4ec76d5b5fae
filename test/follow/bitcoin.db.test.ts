import { expect, onTestFinished, test } from 'vitest'
import { syncDirectly } from '../chain/sync-directly.ts'
import { followBitcoin, REORG_DEPTH, serveBitcoin } from './follow-bitcoin.ts'
import { followDatabase } from './follow-database.ts'
import { chainRows } from './follow-directly.ts'
import { cold, createMemoryBitcoin, hardware, old, pay, transaction } from './memory-bitcoin.ts'
import type { MemoryBitcoin } from './memory-bitcoin.ts'

const { pool, owner, query } = await followDatabase()
await owner.query(`update networks set reorg_depth = ${REORG_DEPTH} where id = 'bitcoin'`)

/** A follower at the head of 20 blocks, which covers the wallets. */
async function followed(...wallets: string[]) {
  const chain = createMemoryBitcoin()
  for (let i = 0; i < 20; i++) chain.mine()
  const node = await serveBitcoin(chain)
  onTestFinished(() => node.stop())
  const network = await node.networkFor(pool)
  const sync = (address: string) => syncDirectly({ pool, network, address })
  for (const wallet of wallets) await sync(wallet)
  const follower = await followBitcoin({ pool, node })
  await follower.catchUp()
  return { chain, node, sync, ...follower }
}

const stored = () => query('select hash from transactions order by block_number') as Promise<string[]>
/** Transactions of one block have no order. */
const inAnyOrder = (hashes: readonly string[]) => hashes.toSorted((one, other) => (one < other ? -1 : 1))
const touched = () =>
  query("select address || ' ' || reason from touched_wallets join wallets on id = wallet_id order by 1")
const coinOf = (chain: MemoryBitcoin, address: string) =>
  chain.coins().find((one) => one.address === address)!

test('asks for the tip, and twice for a block in which no wallet is', async () => {
  const { chain, node, step } = await followed(cold.name)
  node.asked.length = 0
  await step()
  chain.mine(pay(old.name))
  await step()
  const { id } = chain.chain.blockAt(chain.head())
  expect(node.asked.map(({ path }) => path)).toEqual([
    '/blocks/tip/hash',
    '/blocks/tip/hash',
    `/block/${id}`,
    `/block/${id}/raw`,
  ])
  expect(await stored()).toEqual([])
})

test('finds payments to a wallet, what it spends, and coins that a block receives and spends', async () => {
  const { chain, catchUp } = await followed(cold.name)
  const first = pay(cold.name)
  chain.mine(first)
  await catchUp()
  const second = transaction([coinOf(chain, cold.name)], [{ address: old.name, value: 9_000 }])
  const third = pay(cold.name, 30_000)
  const fourth = transaction(
    [{ txid: third.txid, vout: 0, address: cold.name, value: 30_000 }],
    [{ address: old.name, value: 29_000 }],
  )
  chain.mine(second, third, fourth)
  await catchUp()
  expect(inAnyOrder(await stored())).toEqual(
    inAnyOrder([first, second, third, fourth].map(({ txid }) => txid)),
  )
  expect(await touched()).toEqual([`${cold.name} block`])
})

test('an extended key is matched for 20 addresses beyond each one that is used', async () => {
  const { chain, catchUp } = await followed(hardware.name)
  const steps = [19, 38, 57].map((index) => pay(hardware.addressAt(0, index)))
  const beyond = pay(hardware.addressAt(1, 20))
  chain.mine(steps[1]!, steps[0]!, beyond)
  chain.mine(steps[2]!)
  await catchUp()
  expect(inAnyOrder(await stored())).toEqual(inAnyOrder(steps.map(({ txid }) => txid)))
  expect(await query('select account from wallet_accounts order by account')).toEqual(
    inAnyOrder([19, 38, 57].map((index) => hardware.addressAt(0, index))),
  )
})

test('case 2 a wallet whose history is read while the follower is down has no gap and no double', async () => {
  const { chain, node, sync } = await followed(cold.name)
  const before = pay(old.name)
  chain.mine(before)
  await sync(old.name)
  const after = transaction([coinOf(chain, old.name)], [{ address: cold.name, value: 9_000 }])
  chain.mine(after)
  const next = await followBitcoin({ pool, node })
  await next.catchUp()
  expect(await stored()).toEqual([before.txid, after.txid])
  expect(await query(`select covered_from is null from wallet_syncs`)).toEqual([false, false])
})

test('a wallet whose history ends below the cursor waits for its next sync', async () => {
  const { chain, catchUp, sync } = await followed(cold.name)
  await sync(old.name)
  chain.mine()
  chain.mine()
  await catchUp()
  await owner.query(
    `update wallet_syncs set covered_from = null, cursor_block = cursor_block - 1
     where wallet_id = (select id from wallets where address = '${old.name}')`,
  )
  const missed = pay(old.name)
  chain.mine(missed)
  await catchUp()
  expect(await query('select covered_from is null from wallet_syncs order by wallet_id')).toEqual([
    false,
    true,
  ])
  await sync(old.name)
  chain.mine()
  await catchUp()
  expect(await query('select covered_from is null from wallet_syncs order by wallet_id')).toEqual([
    false,
    false,
  ])
  expect(await stored()).toEqual([missed.txid])
})

test('case 11 a payment that a reorg takes away touches its wallets, those of extended keys too', async () => {
  const { chain, node, catchUp } = await followed(cold.name, hardware.name)
  chain.mine(pay(cold.name), pay(hardware.addressAt(0, 3)))
  await catchUp()
  expect(await stored()).toHaveLength(2)
  await pool.query('delete from touched_wallets')
  node.chain = chain.fork(chain.head() - 1, 'other')
  node.chain.mine()
  node.chain.mine()
  await catchUp()
  expect(await stored()).toEqual([])
  expect(await touched()).toEqual([`${cold.name} reorg`, `${hardware.name} reorg`])
})

test.each([
  ['cut off', (body: Buffer) => body.subarray(0, -1)],
  [
    'without its last transaction',
    (body: Buffer) => Buffer.concat([body.subarray(0, 80), Buffer.of(1), body.subarray(81, 81 + 86)]),
  ],
  ['another one', (body: Buffer) => Buffer.concat([Buffer.of(body[0]! ^ 1), body.subarray(1)])],
])('case 16 a raw block that is %s is asked for again and not committed', async (_what, spoil) => {
  const { chain, node, step, catchUp } = await followed(cold.name)
  chain.mine(pay(cold.name))
  const before = await chainRows(pool)
  const served = { ...chain.chain, rawAt: (height: number) => spoil(chain.chain.rawAt(height)) }
  node.chain = { ...chain, chain: served }
  await expect(step()).rejects.toThrow('esplora')
  expect(await chainRows(pool)).toEqual(before)
  node.chain = chain
  await catchUp()
  expect(await stored()).toHaveLength(1)
})

test('catches up with more blocks than it reads at once, without a gap', async () => {
  const { chain, step, catchUp } = await followed(cold.name)
  const payments = Array.from({ length: 25 }, () => pay(cold.name))
  for (const payment of payments) chain.mine(payment)
  const from = chain.head() - payments.length
  const follow = async () =>
    (await pool.query('select cursor_block::int as at, head_block::int as head from network_follows')).rows[0]
  await step()
  expect(await follow()).toEqual({ at: from + 10, head: chain.head() })
  await catchUp()
  expect(await stored()).toEqual(payments.map(({ txid }) => txid))
  expect(await follow()).toEqual({ at: chain.head(), head: chain.head() })
})

test('blocks that a server lists on smaller pages are all read, and none from one that lists others', async () => {
  const { chain, node } = await followed(cold.name)
  const payments = Array.from({ length: 10 }, () => pay(cold.name))
  for (const payment of payments) chain.mine(payment)
  const { blocksFrom } = node.api
  node.api = { ...node.api, blocksFrom: async (height) => (await blocksFrom(height)).slice(1) }
  const misled = await followBitcoin({ pool, node })
  await expect(misled.step()).rejects.toThrow(`no block ${chain.head()}: the node lags`)
  expect(await stored()).toEqual([])
  node.api = { ...node.api, blocksFrom: async (height) => (await blocksFrom(height)).slice(0, 4) }
  const next = await followBitcoin({ pool, node })
  await next.catchUp()
  expect(await stored()).toEqual(payments.map(({ txid }) => txid))
})
