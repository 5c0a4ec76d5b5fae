import type pg from 'pg'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import { createBitcoinReader } from '../../activities/chain/follow/bitcoin-reader.ts'
import { createBitcoinWallets } from '../../activities/chain/follow/bitcoin-wallets.ts'
import { createFollower } from '../../activities/chain/follow/follow-head.ts'
import type { FollowDeps, FollowedNetwork } from '../../activities/chain/follow/follow-head.ts'
import { createNetworks } from '../../activities/chain/networks.ts'
import { createEsploraApi } from '../../activities/chain/sources/esplora-api.ts'
import { beginFollow } from '../../db/chain/follows.ts'
import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import { freeHttp } from '../chain/free-http.ts'
import { startDouble } from '../upstreams/double.ts'
import { answerFrom } from '../upstreams/served-upstream.ts'
import { hurriedClock } from './follow-directly.ts'
import type { MemoryBitcoin } from './memory-bitcoin.ts'

/** Fewer blocks than on the main net, so that tests read few. */
export const REORG_DEPTH = 8

const BITCOIN: FollowedNetwork = {
  id: 'bitcoin',
  source: 'esplora',
  reorgDepth: REORG_DEPTH,
  blockMs: 600_000,
}

/** Serves a chain, which tests may replace, as Esplora does. */
export async function serveBitcoin(chain: MemoryBitcoin) {
  const node = { chain }
  const upstream = createEsplora(() => node.chain.chain)
  const server = await startDouble(answerFrom(upstream, { now: () => 0 }))
  const sources = { esplora: { url: server.url, key: null, requestsPerSecond: 1_000, burst: 1_000 } }
  const http = freeHttp(sources)
  const noNodes = () => Promise.reject(new Error('Bitcoin has no nodes'))
  return Object.assign(node, {
    url: server.url,
    asked: server.asked,
    api: createEsploraApi({ http, url: server.url }),
    networkFor: (pool: pg.Pool) =>
      createNetworks({ pool, http, nodes: noNodes, config: { sources }, now: () => new Date() })('bitcoin'),
    async stop() {
      await http.close()
      await server.stop()
    },
  })
}

export type BitcoinNode = Awaited<ReturnType<typeof serveBitcoin>>

/** Begins an attempt to follow the node. `catchUp` steps until the cursor is the node's head. */
export async function followBitcoin({ pool, node }: { pool: pg.Pool; node: BitcoinNode }) {
  const deps: FollowDeps = {
    pool,
    reader: createBitcoinReader(
      { pool, api: node.api, wallets: createBitcoinWallets(createAddressSet()) },
      BITCOIN,
    ),
    now: hurriedClock(),
    wait: () => Promise.resolve(),
    isEnding: () => false,
    mostBehind: 1_000,
  }
  const { epoch } = await beginFollow(pool, 'bitcoin')
  const { step } = await createFollower(deps, { network: BITCOIN, epoch })

  async function catchUp(): Promise<void> {
    for (let steps = 0; steps < 60; steps++) {
      await step()
      const { rows } = await pool.query('select cursor_hash from network_follows')
      const { chain } = node.chain
      if (rows[0].cursor_hash === chain.blockAt(node.chain.head()).id) return
    }
    throw new Error('the follower does not reach the head')
  }

  return { deps, step, catchUp }
}
