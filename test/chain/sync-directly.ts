import type pg from 'pg'
import type { ColdReader } from '../../db/chain/cold-transactions.ts'
import { backfillStep } from '../../activities/chain/backfill-step.ts'
import { identifyTokens } from '../../activities/chain/identify-tokens.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import { normaliseStep } from '../../activities/chain/normalise-step.ts'
import { undoReorg } from '../../activities/chain/reorg.ts'
import { createExplorers } from '../../activities/chain/sources/explorer.ts'
import { createEvmSource } from '../../activities/chain/sources/evm.ts'
import { createRpcSource } from '../../activities/chain/sources/rpc.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { verifyBalances } from '../../activities/chain/verify-balances.ts'
import { completeSync, startSync } from '../../db/chain/syncs.ts'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { oneNode } from './one-node.ts'
import { nativeContracts } from '../../activities/chain/sources/native-transfers.ts'

export async function testNetwork(
  pool: pg.Pool,
  options: { networkId: string; url: string; explorer?: Explorer; reorgDepth?: number },
): Promise<ChainNetwork> {
  const { networkId, url, explorer } = options
  const row = await networkOf(pool, networkId)
  const { reorgDepth = row.reorg_depth } = options
  const rpc = createRpcSource({
    clients: oneNode(url, `rpc:${networkId}`),
    contracts: nativeContracts(row),
  })
  const explorers = createExplorers(explorer ? [explorer] : [], Date.now)
  const source = createEvmSource({ chainId: Number(row.chain_id), reorgDepth, rpc, explorers })
  return { id: networkId, blockchain: row.blockchain, reorgDepth, source }
}

/**
 * Runs the steps of the sync workflow in order without Temporal, so tests of data and reorgs need no server.
 * `beforeStep` may throw to simulate a killed worker.
 */
export async function syncDirectly(options: {
  pool: pg.Pool
  network: ChainNetwork
  address: string
  beforeStep?: () => void
  readCold?: ColdReader | undefined
}): Promise<{ walletId: string; headBlock: number; openings: number }> {
  const { pool, network, address, beforeStep = () => {}, readCold } = options
  const { source, id: networkId } = network
  const now = () => new Date()
  const deps = { pool, source, now, onProgress: beforeStep, readCold }
  await undoReorg({ pool, source, networkId, reorgDepth: network.reorgDepth })
  let headBlock = (await source.head()).block.number
  const { walletId } = await startSync(pool, { address, networkId, headBlock })
  const wallet = { walletId, address, networkId }
  let step = { cursorBlock: -1, headBlock, lookBack: true, next: null as string | null }
  do {
    beforeStep()
    step = await backfillStep(deps, network, { ...wallet, ...step })
    headBlock = step.headBlock
  } while (step.cursorBlock < headBlock || step.next !== null)
  beforeStep()
  await identifyTokens(deps, { networkId, blockchain: network.blockchain, address })
  do beforeStep()
  while (!(await normaliseStep(deps, wallet)).done)
  beforeStep()
  const { openings } = await verifyBalances({ ...deps, network }, { ...wallet, headBlock })
  beforeStep()
  if (!(await completeSync(pool, { walletId, networkId }))) throw new Error('the sync is not complete')
  return { walletId, headBlock, openings }
}
