import { afterAll, describe, expect, test } from 'vitest'
import { TRANSFER_TOPIC, topicOf } from '../upstreams/nodes/chain.ts'
import { follow, track } from '../follow/follow-directly.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { address } from '../setup/wallet-factories.ts'
import { chainRows } from '../follow/follow-directly.ts'
import { createDeriveWorld, pay, payer, token, wallet } from './derive-world.ts'

/** Much at once. */

const { pool, owner, query, marks, begin, derive, close } = await createDeriveWorld()
afterAll(close)

type World = Awaited<ReturnType<typeof begin>>

/** Wallets whose history is empty and complete. */
async function trackEmpty(world: World, wallets: readonly string[]) {
  await track(pool, ...wallets)
  const follower = await follow({ pool, node: world.node })
  await follower.catchUp()
  await pool.query(
    'update wallet_syncs set synced_at = now(), head_block = $1, cursor_block = $1, normalised_block = $1',
    [world.chain.head()],
  )
  return follower
}

const many = (n: number) => Array.from({ length: n }, (_, i) => address(1_000 + i))
const transferLog = (to: string, raw = 1n) => ({
  address: token,
  topics: [TRANSFER_TOPIC, topicOf(payer), topicOf(to)],
  data: `0x${raw.toString(16).padStart(64, '0')}`,
})

/** The state that requests see. */
const coverage = async () =>
  (await pool.query('select state, message from wallet_coverage order by wallet_id')).rows[0]

test('case 27 a wallet with 2,000 transactions in one block has them all', async () => {
  const world = await begin()
  const follower = await world.followed(wallet)
  world.chain.mine(...Array.from({ length: 2_000 }, (_, i) => pay(wallet, BigInt(1 + i))))
  await follower.catchUp()
  await derive()
  expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
  expect(await query('select count(*)::int from wallet_transactions')).toEqual([2_000])
  await world.stop()
})

test('case 28 an airdrop to 10,000 tracked wallets in one block is one transaction of each', async () => {
  const world = await begin()
  const wallets = many(10_000)
  const follower = await trackEmpty(world, wallets)
  world.chain.mine({ from: payer, to: token, logs: wallets.map((to) => transferLog(to)) })
  await follower.catchUp()
  expect(await query('select count(*)::int from touched_wallets')).toEqual([10_000])
  expect(await derive()).toBe(50)
  expect(await marks()).toEqual([])
  expect(
    await query('select count(*)::int, count(distinct wallet_id)::int, min(type) from wallet_transactions'),
  ).toEqual([10_000, 10_000, 'deposit'])
  await world.stop()
}, 240_000)

test('case 29 a wallet that fails is set aside alone, and the other 199 are derived', async () => {
  const world = await begin()
  const wallets = many(200)
  const poisoned = wallets[77]!
  const follower = await trackEmpty(world, wallets)
  await owner.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin
         if new.wallet_id = (select id from wallets where address = '${poisoned}') then raise 'poisoned'; end if;
         return new; end $$;
       create trigger poison before insert on movements for each row execute function refuse()`,
  )
  world.chain.mine(...wallets.map((to) => pay(to)))
  await follower.catchUp()
  await derive()
  expect(await marks()).toEqual([poisoned])
  expect(await query('select count(distinct wallet_id)::int from movements')).toEqual([199])
  expect(
    await query(
      "select attempts, next_at > now(), next_at < now() + interval '10 seconds' from touched_wallets",
    ),
  ).toEqual([1, true, true])
  await owner.pool.query('drop trigger poison on movements; drop function refuse')
  await pool.query('update touched_wallets set next_at = now()')
  await derive()
  expect(await marks()).toEqual([])
  expect(await query('select count(distinct wallet_id)::int from movements')).toEqual([200])
})

describe('case 30 a wallet with many transactions', () => {
  /** A chain of now: transactions are counted by the hour and the day of their blocks. */
  const today = () => begin({ startSeconds: Math.floor(Date.now() / 1_000) - 40 * 12 })
  const state = () =>
    query('select next_at > now() as waits, from_block > through_block from touched_wallets')

  test('is derived at most once a minute, and is synced meanwhile', async () => {
    const world = await today()
    const follower = await world.followed(wallet)
    world.chain.mine(...Array.from({ length: 501 }, () => pay(wallet)))
    await follower.catchUp()
    await derive()
    expect(await state()).toEqual([true, true])
    expect(await coverage()).toEqual({ state: 'synced', message: null })
    world.chain.mine(pay(wallet))
    await follower.catchUp()
    expect(await derive()).toBe(0)
    expect(await state()).toEqual([true, false])
    expect(await coverage()).toEqual({ state: 'synced', message: null })
    await pool.query('update touched_wallets set next_at = now()')
    expect(await derive()).toBe(1)
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
    await world.stop()
  })

  test('is paused beyond its limit, with a message, and catches up when the pause ends', async () => {
    const world = await today()
    const follower = await world.followed(wallet)
    world.chain.mine(...Array.from({ length: 21 }, () => pay(wallet)))
    await follower.catchUp()
    await derive({ dailyLimit: 20 })
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect(await coverage()).toEqual({
      state: 'syncing',
      message: `More transactions a day on ethereum than are followed: paused until ${day} 00:00 UTC`,
    })
    world.chain.mine(pay(wallet))
    await follower.catchUp()
    expect(await marks()).toEqual([])
    expect(await query('select count(*)::int from transactions')).toEqual([21])
    await pool.query('update wallet_syncs set paused_until = now()')
    world.chain.mine(pay(wallet))
    await follower.catchUp()
    await syncDirectly({ pool, network: world.network, address: wallet })
    await derive()
    expect(await coverage()).toEqual({ state: 'synced', message: null })
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
    await world.stop()
  })
})

test('case 31 an event that names 1,000 tracked wallets costs their balances in few calls, and writes no row', async () => {
  const world = await begin()
  const wallets = many(1_000)
  const follower = await trackEmpty(world, wallets)
  const topics = (from: number) => [`0x${'5'.repeat(64)}`, ...wallets.slice(from, from + 3).map(topicOf)]
  const logs = wallets.flatMap((_, i) =>
    i % 3 === 0 ? [{ address: token, topics: topics(i), data: '0x' }] : [],
  )
  world.chain.mine({ from: payer, to: token, logs })
  await follower.catchUp()
  expect(await query('select count(*)::int from touched_wallets')).toEqual([1_000])
  const { source } = world.network
  let calls = 0
  const readManyBalances: typeof source.readManyBalances = async (request) => {
    calls++
    return await source.readManyBalances!(request)
  }
  await derive({ network: { ...world.network, source: { ...source, readManyBalances } } })
  expect(calls).toBe(5)
  expect(await marks()).toEqual([])
  for (const table of ['wallet_transactions', 'movements', 'balances', 'transactions', 'pl_states'])
    expect(await query(`select count(*)::int from ${table}`)).toEqual([0])
  await world.stop()
})
