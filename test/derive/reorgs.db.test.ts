import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import { createAccount } from '../../db/metering/write.ts'
import { chainRows } from '../follow/follow-directly.ts'
import { createDeriveWorld, other, pay, send, wallet } from './derive-world.ts'

const { pool, owner, query, marks, balances, begin, derive, close } = await createDeriveWorld()
let world: Awaited<ReturnType<typeof begin>>

afterAll(close)
beforeEach(async () => {
  await owner.pool.query('truncate event_sources, event_subscriptions, unconfirmed_transactions')
  world = await begin()
  return world.stop
})

/** Replaces the blocks above a block by empty ones, one more than there were. */
function replaceAbove(block: number): void {
  const { chain, node } = world
  node.chain = chain.fork(block, 'other')
  while (node.chain.head() <= chain.head()) node.chain.mine()
}

describe('a reorg', () => {
  test('case 11 takes an incoming transfer of a wallet that nothing else touches: balance, P&L and events are right', async () => {
    const follower = await world.followed(wallet)
    const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'starter' })
    await owner.pool.query(
      `insert into event_subscriptions (account_id, wallet_id, types)
       select $1, id, '{wallet.transaction,wallet.balance}' from wallets`,
      [accountId],
    )
    const computed = async () => {
      const { rows } = await pool.query(
        'select wallet_id as "walletId", network_id as "networkId" from books',
      )
      if (rows[0]) await recomputeBook({ pool, book: rows[0], nowMs: Date.now() })
      return await query('select raw::text from balance_days order by at')
    }
    const told = () =>
      query(
        `select concat_ws(' ', kind, payload ->> 'status', payload ->> 'amount') from event_sources order by id`,
      )
    const common = world.chain.head()
    world.chain.mine(pay(wallet, 10n ** 18n))
    await follower.catchUp()
    await derive()
    expect([await balances(wallet), await computed()]).toEqual([[String(10n ** 18n)], [String(10n ** 18n)]])
    replaceAbove(common)
    await follower.catchUp()
    expect(await query('select reason from touched_wallets')).toEqual(['reorg'])
    await derive()
    expect(await marks()).toEqual([])
    expect([await balances(wallet), await computed()]).toEqual([[], []])
    expect(await told()).toEqual([
      'wallet.transaction unconfirmed',
      'wallet.balance 1',
      'wallet.transaction reorged',
      'wallet.balance 0',
    ])
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
  })

  test('case 12 a transaction that comes again in another block has one row, of that block', async () => {
    const follower = await world.followed(wallet)
    const common = world.chain.head()
    const spec = pay(wallet, 10n ** 18n)
    world.chain.mine(spec)
    world.chain.mine()
    await follower.catchUp()
    await derive()
    world.node.chain = world.chain.fork(common, '')
    world.node.chain.mine()
    // The same sender, nonce and content: the same hash.
    const again = world.node.chain.mine(spec)
    expect(again.transactions[0]!.hash).toBe(world.chain.block(common + 1)!.transactions[0]!.hash)
    world.node.chain.mine()
    await follower.catchUp()
    await derive()
    expect(await query('select block_number::int, block_hash from wallet_transactions')).toEqual([
      again.number,
      again.hash,
    ])
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet))
  })

  test('case 13 while derive holds the wallet leaves nothing of the replaced branch', async () => {
    const follower = await world.followed(wallet, other)
    const common = world.chain.head()
    world.chain.mine(pay(wallet, 10n ** 18n), send(wallet, 7n), pay(other))
    await follower.catchUp()
    const { source } = world.network
    let reorgs = 0
    // The node has answered, and nothing is written yet.
    const readManyBalances: typeof source.readManyBalances = async (request) => {
      const balances = await source.readManyBalances!(request)
      if (reorgs++ === 0) {
        replaceAbove(common)
        world.node.chain.mine(send(wallet, 9n))
        await follower.catchUp()
      }
      return balances
    }
    const network: ChainNetwork = { ...world.network, source: { ...source, readManyBalances } }
    await derive({ network })
    expect(reorgs).toBeGreaterThan(1)
    expect([await balances(wallet), await balances(other)]).toEqual([['9'], []])
    expect(await chainRows(pool)).toEqual(await world.polledRows(wallet, other))
  })
})
