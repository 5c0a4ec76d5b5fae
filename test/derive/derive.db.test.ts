import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deriveBatch } from '../../activities/chain/derive/derive-batch.ts'
import { computeChanged } from '../../activities/pnl/compute-loop.ts'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { labelMovements } from '../../db/chain/label-movements.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { chainRows, follow, NETWORK, track } from '../follow/follow-directly.ts'
import { address } from '../setup/wallet-factories.ts'
import { tokenTransfer } from '../upstreams/nodes/chain.ts'
import { createDeriveWorld, other, pay, send, token, wallet } from './derive-world.ts'

/** What becomes of the blocks that a follower stores. */

const { reorgDepth } = NETWORK
const coin = address(5)
const { pool, db, owner, query, marks, balances, begin, derive, close } = await createDeriveWorld()
let world: Awaited<ReturnType<typeof begin>>

afterAll(close)
beforeEach(async () => {
  world = await begin()
  return world.stop
})

describe('touched wallets', () => {
  test('get the rows, balances and P&L marks that polling gives, many at once and without a sync', async () => {
    const wallets = Array.from({ length: 30 }, (_, n) => address(100 + n))
    const follower = await world.followed(...wallets)
    world.chain.mine(
      send(wallets[3]!, 1n, coin),
      ...wallets.map((to) => pay(to, 10n ** 18n)),
      ...wallets.slice(0, 20).map((to) => send(to, 100n)),
    )
    world.chain.mine(
      ...wallets.slice(0, 10).map((from) => ({ ...tokenTransfer({ token, from, to: other, raw: 40n }) })),
      tokenTransfer({ token: coin, from: wallets[3]!, to: wallets[4]!, raw: 1n }),
    )
    await follower.catchUp()
    await pool.query('delete from pl_states')
    expect(await derive()).toBe(1)
    expect(await marks()).toEqual([])
    expect(await chainRows(pool)).toEqual(await world.polledRows(...wallets))
    expect(await query('select count(*)::int from pl_states where legs_changed')).toEqual([30])
  })

  test('case 6 what was committed before a restart is derived after it, and once', async () => {
    const before = await world.followed(wallet)
    world.chain.mine(pay(wallet))
    await before.catchUp()
    expect(await marks()).toEqual([wallet])
    const after = await follow({ pool, node: world.node })
    world.chain.mine(send(wallet, 7n))
    await after.catchUp()
    await derive()
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
    const versions = () => query('select xmin::text from movements order by 1')
    const written = await versions()
    expect(await derive()).toBe(0)
    expect(await versions()).toEqual(written)
  })

  test('case 7 a wallet that is touched before its history is complete has its balances first, and its rows after', async () => {
    world.chain.mine(pay(wallet, 100n), send(wallet, 9n))
    for (let i = 0; i < reorgDepth + 20; i++) world.chain.mine()
    await track(pool, wallet)
    const follower = await follow({ pool, node: world.node })
    world.chain.mine(pay(wallet, 11n), send(wallet, 1n))
    await follower.catchUp()
    await derive()
    expect(await query('select count(*)::int from movements')).toEqual([0])
    expect(await balances(wallet)).toEqual(['10', '111'])
    // It waits, and is not asked for again.
    expect(await marks()).toEqual([wallet])
    world.chain.mine(pay(wallet, 1n))
    await follower.catchUp()
    expect(await derive()).toBe(1)
    expect(await balances(wallet)).toEqual(['10', '112'])
    await syncDirectly({ pool, network: world.network, address: wallet })
    await derive()
    expect(await marks()).toEqual([])
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
  })

  test('case 52 a deriver that is 200 blocks behind gives the rows of all of them, and balances of now', async () => {
    const follower = await world.followed(wallet, other)
    for (let i = 0; i < 200; i++) {
      world.chain.mine(
        ...(i % 3 === 0 ? [pay(wallet, BigInt(1 + i))] : []),
        ...(i % 50 === 0 ? [send(other, 3n)] : []),
      )
      await follower.catchUp()
    }
    expect(await derive()).toBe(1)
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet, other))
  })

  test('have the rows up to the cursor that a batch began with, and the next batch derives the later ones', async () => {
    const follower = await world.followed(wallet)
    world.chain.mine(pay(wallet, 5n))
    world.chain.mine(pay(wallet, 7n))
    await follower.catchUp()
    const moved = () => query('select raw::text from movements order by block_number')
    const [first, last] = [world.chain.block(31)!, world.chain.block(32)!]
    const move = (to: typeof first) =>
      pool.query('update network_follows set cursor_block = $1, cursor_hash = $2', [to.number, to.hash])
    await move(first)
    const walletIds = (await query('select wallet_id from touched_wallets')) as string[]
    const deps = { pool, network: world.network, dailyLimit: 50_000, now: () => new Date() }
    await deriveBatch(deps, walletIds)
    expect([await moved(), await balances(wallet)]).toEqual([['5'], ['5']])
    expect(await query('select from_block::int, through_block::int, reason from touched_wallets')).toEqual([
      32,
      32,
      'block',
    ])
    await move(last)
    await derive()
    expect([await moved(), await balances(wallet)]).toEqual([['5', '7'], ['12']])
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
  })

  test('get their P&L computed by its own loop, once', async () => {
    const follower = await world.followed(wallet)
    world.chain.mine(pay(wallet, 10n ** 18n))
    await follower.catchUp()
    await derive()
    const books = await pool.query('select wallet_id as "walletId", network_id as "networkId" from books')
    const deps = { db, pool, now: () => new Date() }
    // The first run of a wallet belongs to its sync.
    expect(await computeChanged(deps, new Map())).toBe(0)
    await recomputeBook({ pool, book: books.rows[0], nowMs: Date.now() })
    world.chain.mine(pay(wallet, 10n ** 18n))
    await follower.catchUp()
    await derive()
    const held = () => query('select raw::text from balance_days order by at desc limit 1')
    const uncomputed = async () =>
      (await owner.pool.query('select count(*) > 0 as yes from uncomputed_figures')).rows[0].yes
    expect([await held(), await uncomputed()]).toEqual([[String(10n ** 18n)], true])
    expect(await computeChanged(deps, new Map())).toBe(1)
    expect([await held(), await uncomputed()]).toEqual([[String(2n * 10n ** 18n)], false])
    expect(await computeChanged(deps, new Map())).toBe(0)
  })

  test('are derived again after a label, and when a token becomes a coin, without a sync', async () => {
    const follower = await world.followed(wallet, other)
    const { transactions } = world.chain.mine(pay(wallet), send(other, 3n))
    await follower.catchUp()
    await derive()
    const key = { address: wallet, networkId: 'ethereum', hash: transactions[0]!.hash, seq: null }
    expect(await labelMovements(owner.db, { ...key, role: 'airdrop', now: new Date() })).toBe(true)
    expect(await marks()).toEqual([wallet])
    await derive()
    expect(await query("select role from movements where role <> 'transfer'")).toEqual(['airdrop'])
    await owner.pool.query(
      `insert into coins (id, symbol, name, slug, source, fetched_at, last_seen_at)
       values ('gold', 'GOLD', 'Gold', 'gold', 'test', now(), now());
       insert into coin_contracts (blockchain, address, coin_id, source, fetched_at)
       values ('ethereum', '${token}', 'gold', 'test', now())`,
    )
    world.chain.mine(send(other, 4n))
    await follower.catchUp()
    await derive()
    expect(
      await query("select raw::text, coin_id from movements where coin_id <> 'ethereum' order by raw"),
    ).toEqual(['3', 'gold', '4', 'gold'])
    expect(await balances(other)).toEqual(['7'])
    expect(
      await query('select least(min(cursor_block - normalised_block), 0)::int from wallet_syncs'),
    ).toEqual([0])
  })
})
