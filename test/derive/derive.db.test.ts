import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import { openDb } from '../../db/connect.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { chainRows, emptyTables, follow, NETWORK, track } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import type { MemoryNode } from '../follow/memory-node.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'
import { deriveAll } from './derive-directly.ts'

/** What becomes of the blocks that a follower stores, on a chain in memory without traces and explorer. */

const { reorgDepth } = NETWORK
const [payer, wallet, other, token, coin] = [1, 2, 3, 4, 5].map(address) as [
  string,
  string,
  string,
  string,
  string,
]
const database = await testDatabase()
const polledDatabase = await testDatabase()
const [{ pool, close }, polled] = [database, polledDatabase].map(({ ingestUrl }) =>
  openDb({ url: ingestUrl, maxConnections: 6, applicationName: 'test' }),
) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>]
const owners = [database, polledDatabase].map(({ ownerUrl }) =>
  openDb({ url: ownerUrl, maxConnections: 1, applicationName: 'test' }),
)
let chain: MemoryChain
let node: MemoryNode
let server: Awaited<ReturnType<MemoryNode['serve']>>
let network: ChainNetwork

afterAll(() => Promise.all([close(), polled.close(), ...owners.map((one) => one.close())]))

beforeEach(async () => {
  for (const owner of owners) await emptyTables(owner.pool)
  chain = createMemoryChain({ funds: { [payer]: 10n ** 30n } })
  for (let i = 0; i < 30; i++) chain.mine()
  node = memoryNode(chain)
  server = await node.serve()
  network = await testNetwork(pool, { networkId: 'ethereum', url: server.url, reorgDepth })
  return () => server.stop()
})

const pay = (to: string, value = 5n): TransactionSpec => ({ from: payer, to, value })
const send = (to: string, raw: bigint, contract = token) =>
  tokenTransfer({ token: contract, from: payer, to, raw })

async function query(sql: string): Promise<unknown[]> {
  return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat()
}
const marks = () => query('select address from touched_wallets join wallets on id = wallet_id order by 1')
const balances = (of: string) =>
  query(
    `select raw::text from balances join wallets on id = wallet_id where address = '${of}' order by coin_id`,
  )

/** Wallets whose history is complete and that the follower covers, which has nothing left to derive. */
async function followed(...wallets: string[]) {
  for (const one of wallets) await syncDirectly({ pool, network, address: one })
  const follower = await follow({ pool, node })
  await follower.catchUp()
  await deriveAll({ pool, network })
  return follower
}

/** The rows of wallets as polling them from nothing gives them. */
async function polledRows(...wallets: string[]) {
  const options = { networkId: 'ethereum', url: server.url, reorgDepth }
  const one = await testNetwork(polled.pool, options)
  for (const address of wallets) await syncDirectly({ pool: polled.pool, network: one, address })
  return await chainRows(polled.pool)
}

describe('touched wallets', () => {
  test('get the rows, balances and P&L marks that polling gives, many at once and without a sync', async () => {
    const wallets = Array.from({ length: 30 }, (_, n) => address(100 + n))
    const follower = await followed(...wallets)
    chain.mine(
      send(wallets[3]!, 1n, coin),
      ...wallets.map((to) => pay(to, 10n ** 18n)),
      ...wallets.slice(0, 20).map((to) => send(to, 100n)),
    )
    chain.mine(
      ...wallets.slice(0, 10).map((from) => ({ ...tokenTransfer({ token, from, to: other, raw: 40n }) })),
      tokenTransfer({ token: coin, from: wallets[3]!, to: wallets[4]!, raw: 1n }),
    )
    await follower.catchUp()
    await pool.query('delete from pl_states')
    expect(await deriveAll({ pool, network })).toBe(1)
    expect(await marks()).toEqual([])
    expect(await chainRows(pool)).toEqual(await polledRows(...wallets))
    expect(await query('select count(*)::int from pl_states where legs_changed')).toEqual([30])
  })

  test('case 6 what was committed before a restart is derived after it, and once', async () => {
    const before = await followed(wallet)
    chain.mine(pay(wallet))
    await before.catchUp()
    expect(await marks()).toEqual([wallet])
    const after = await follow({ pool, node })
    chain.mine(send(wallet, 7n))
    await after.catchUp()
    await deriveAll({ pool, network })
    expect(await chainRows(pool)).toEqual(await polledRows(wallet))
    const versions = () => query('select xmin::text from movements order by 1')
    const written = await versions()
    expect(await deriveAll({ pool, network })).toBe(0)
    expect(await versions()).toEqual(written)
  })

  test('case 7 a wallet that is touched before its history is complete has its balances first, and its rows after', async () => {
    chain.mine(pay(wallet, 100n), send(wallet, 9n))
    for (let i = 0; i < reorgDepth + 20; i++) chain.mine()
    await track(pool, wallet)
    const follower = await follow({ pool, node })
    chain.mine(pay(wallet, 11n), send(wallet, 1n))
    await follower.catchUp()
    await deriveAll({ pool, network })
    expect(await query('select count(*)::int from movements')).toEqual([0])
    expect(await balances(wallet)).toEqual(['10', '111'])
    // It waits, and is not asked for again.
    expect(await marks()).toEqual([wallet])
    chain.mine(pay(wallet, 1n))
    await follower.catchUp()
    expect(await deriveAll({ pool, network })).toBe(1)
    expect(await balances(wallet)).toEqual(['10', '112'])
    await syncDirectly({ pool, network, address: wallet })
    await deriveAll({ pool, network })
    expect(await marks()).toEqual([])
    expect(await chainRows(pool)).toEqual(await polledRows(wallet))
  })

  test('case 52 a deriver that is 200 blocks behind gives the rows of all of them, and balances of now', async () => {
    const follower = await followed(wallet, other)
    for (let i = 0; i < 200; i++) {
      chain.mine(
        ...(i % 3 === 0 ? [pay(wallet, BigInt(1 + i))] : []),
        ...(i % 50 === 0 ? [send(other, 3n)] : []),
      )
      await follower.catchUp()
    }
    expect(await deriveAll({ pool, network })).toBe(1)
    expect(await chainRows(pool)).toEqual(await polledRows(wallet, other))
  })

  test('case 29 a wallet that fails is set aside alone, and the other 199 are derived', async () => {
    const wallets = Array.from({ length: 200 }, (_, n) => address(1_000 + n))
    const poisoned = wallets[77]!
    await track(pool, ...wallets)
    const follower = await follow({ pool, node })
    await follower.catchUp()
    // Their history is empty.
    await pool.query(
      `update wallet_syncs set synced_at = now(), head_block = $1, cursor_block = $1, normalised_block = $1`,
      [chain.head()],
    )
    await owners[0]!.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin
         if new.wallet_id = (select id from wallets where address = '${poisoned}') then raise 'poisoned'; end if;
         return new; end $$;
       create trigger poison before insert on movements for each row execute function refuse()`,
    )
    chain.mine(...wallets.map((to) => pay(to)))
    await follower.catchUp()
    await deriveAll({ pool, network })
    expect(await marks()).toEqual([poisoned])
    expect(await query('select count(distinct wallet_id)::int from movements')).toEqual([199])
    expect(
      await query(
        "select attempts, next_at > now(), next_at < now() + interval '10 seconds' from touched_wallets",
      ),
    ).toEqual([1, true, true])
    await owners[0]!.pool.query('drop trigger poison on movements; drop function refuse')
    await pool.query('update touched_wallets set next_at = now()')
    await deriveAll({ pool, network })
    expect(await marks()).toEqual([])
    expect(await query('select count(distinct wallet_id)::int from movements')).toEqual([200])
  })
})

describe('reorgs', () => {
  test('case 12 a transaction that comes again in another block has one row, of that block', async () => {
    const follower = await followed(wallet)
    const common = chain.head()
    const spec = pay(wallet, 10n ** 18n)
    chain.mine(spec)
    chain.mine()
    await follower.catchUp()
    await deriveAll({ pool, network })
    node.chain = chain.fork(common, '')
    node.chain.mine()
    // The same sender, nonce and content: the same hash.
    const again = node.chain.mine(spec)
    expect(again.transactions[0]!.hash).toBe(chain.block(common + 1)!.transactions[0]!.hash)
    node.chain.mine()
    await follower.catchUp()
    await deriveAll({ pool, network })
    expect(await query('select block_number::int, block_hash from wallet_transactions')).toEqual([
      again.number,
      again.hash,
    ])
    expect(await chainRows(pool)).toEqual(await polledRows(wallet))
  })
})
