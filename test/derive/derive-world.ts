import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import type { ColdReader } from '../../db/chain/cold-transactions.ts'
import { openDb } from '../../db/connect.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { chainRows, emptyTables, follow, NETWORK } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import type { TransactionSpec } from '../upstreams/nodes/chain.ts'
import { deriveAll } from './derive-directly.ts'

export const [payer, wallet, other, token] = [1, 2, 3, 4].map(address) as [string, string, string, string]
const { reorgDepth } = NETWORK

export const pay = (to: string, value = 5n): TransactionSpec => ({ from: payer, to, value })
export const send = (to: string, raw: bigint, contract = token): TransactionSpec =>
  tokenTransfer({ token: contract, from: payer, to, raw })

/**
 * A database that is filled by a follower and what derives from it, and one that polls the same chain from
 * nothing.
 */
export async function createDeriveWorld() {
  const [database, polledDatabase] = [await testDatabase(), await testDatabase()]
  const open = (url: string) => openDb({ url, maxConnections: 6, applicationName: 'test' })
  const [followed, polled] = [open(database.ingestUrl), open(polledDatabase.ingestUrl)]
  const owners = [open(database.ownerUrl), open(polledDatabase.ownerUrl)]
  const { pool } = followed
  let current: ChainNetwork

  /** Empties both databases, and begins a chain of 30 blocks. */
  async function begin(options: { startSeconds?: number; explorer?: (node: MemoryNodeOf) => Explorer } = {}) {
    const { explorer: explorerOf, ...chainOptions } = options
    for (const owner of owners) await emptyTables(owner.pool)
    const chain = createMemoryChain({ funds: { [payer]: 10n ** 30n }, ...chainOptions })
    for (let i = 0; i < 30; i++) chain.mine()
    const node = memoryNode(chain)
    const server = await node.serve()
    const explorer = explorerOf?.(node)
    const networkIn = (one: typeof pool) =>
      testNetwork(one, { networkId: 'ethereum', url: server.url, reorgDepth, ...(explorer && { explorer }) })
    const network = await networkIn(pool)
    current = network

    /** Wallets whose history is complete and that the follower covers, with nothing left to derive. */
    async function followed(...wallets: string[]) {
      for (const one of wallets) await syncDirectly({ pool, network, address: one })
      const follower = await follow({ pool, node })
      await follower.catchUp()
      await deriveAll({ pool, network })
      return follower
    }

    /** The rows of wallets as polling them from nothing gives them. */
    async function polledRows(...wallets: string[]) {
      const own = await networkIn(polled.pool)
      for (const one of wallets) await syncDirectly({ pool: polled.pool, network: own, address: one })
      return await chainRows(polled.pool)
    }

    return { chain, node, network, explorer, followed, polledRows, stop: server.stop }
  }

  /** Derives what is due, as the loop does, until nothing is. Returns the number of batches. */

  async function derive(
    options: { dailyLimit?: number; network?: ChainNetwork; readCold?: ColdReader | undefined } = {},
  ): Promise<number> {
    return await deriveAll({ pool, network: current, ...options })
  }

  async function query(sql: string): Promise<unknown[]> {
    return (await pool.query({ text: sql, rowMode: 'array' })).rows.flat()
  }

  return {
    pool,
    db: followed.db,
    polled: polled.pool,
    owner: owners[0]!,
    begin,
    derive,
    query,
    marks: () => query('select address from touched_wallets join wallets on id = wallet_id order by 1'),
    balances: (of: string) =>
      query(
        `select raw::text from balances join wallets on id = wallet_id where address = '${of}' order by coin_id`,
      ),
    close: () => Promise.all([followed, polled, ...owners].map((one) => one.close())),
  }
}

type MemoryNodeOf = ReturnType<typeof memoryNode>
