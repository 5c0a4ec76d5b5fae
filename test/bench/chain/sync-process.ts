import { backfillStep } from '../../../activities/chain/backfill-step.ts'
import { createExplorers } from '../../../activities/chain/sources/explorer.ts'
import { createEvmSource } from '../../../activities/chain/sources/evm.ts'
import { createRpcSource } from '../../../activities/chain/sources/rpc.ts'
import { oneNode } from '../../chain/one-node.ts'
import { openDb } from '../../../db/connect.ts'
import { startSync } from '../../../db/chain/syncs.ts'
import { networkOf } from '../../../db/chain/wallet-assets.ts'
import { nativeContracts } from '../../../activities/chain/sources/native-transfers.ts'

/** `sync-process.ts DATABASE RPC WALLET`: ingests one wallet from a node, and prints time and peak memory. */
const [databaseUrl, url, address] = process.argv.slice(2) as [string, string, string]
const networkId = 'ethereum'
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 2, applicationName: 'bench' })
const row = await networkOf(pool, networkId)
const rpc = createRpcSource({
  clients: oneNode(url, `rpc:${networkId}`),
  contracts: nativeContracts(row),
})
const { chain_id: chainId, reorg_depth: reorgDepth } = row
const source = createEvmSource({
  chainId: Number(chainId),
  reorgDepth,
  rpc,
  explorers: createExplorers([], Date.now),
})
const network = { id: networkId, reorgDepth, source }
const startMs = performance.now()
let headBlock = (await source.head()).block.number
const { walletId } = await startSync(pool, { address, networkId, headBlock })
const deps = { pool, now: () => new Date(), onProgress: () => {} }
for (let cursorBlock = -1; cursorBlock < headBlock;) {
  const input = { walletId, address, networkId, headBlock, lookBack: false, next: null }
  ;({ cursorBlock, headBlock } = await backfillStep(deps, network, input))
}
const ms = performance.now() - startMs
await close()
console.log(JSON.stringify({ ms, blocks: headBlock + 1, peakRssMb: process.resourceUsage().maxRSS / 1024 }))
