import type pg from 'pg'
import { isNetworkId, networkWithId } from '../../db/values/networks.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { WorkerConfig } from '../ingest-config.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import type { NetworkAtBlock, OpenNetwork } from './network-at-block.ts'
import { openEvm } from './open-evm.ts'
import { openSolana } from './solana/open-solana.ts'

export interface NetworkDeps extends Pick<ActivityDeps, 'http' | 'heartbeat'>, NodeDeps {
  pool: pg.Pool
  config: Pick<WorkerConfig, 'sources'>
}

interface NetworkToRead {
  open: OpenNetwork
  /** False: the share of its nodes for wallets is used up faster than the day passes. */
  isOnPace: () => boolean
}

export const isSolana = (networkId: string): boolean =>
  isNetworkId(networkId) && networkWithId(networkId).kind === 'solana'

/** Name of the source that a network is read from. */
export const sourceOf = (networkId: string): NetworkAtBlock['source'] =>
  isSolana(networkId) ? SOLANA : `rpc:${networkId}`

/** Throws SourceRejected where the network is off. */
export async function networkToRead(deps: NetworkDeps, networkId: string): Promise<NetworkToRead> {
  const { pool, http, config, heartbeat: onProgress } = deps
  if (isSolana(networkId)) {
    const { solana } = config.sources
    if (!solana) throw new SourceRejected(SOLANA, 'the network is off: SOLANA_URL is not set')
    return { open: openSolana({ http, url: solana.url, onProgress }), isOnPace: () => true }
  }
  const client = await deps.nodes(networkId, 'wallets')
  return { open: openEvm({ pool, client, onProgress }), isOnPace: () => client.isOnPace }
}
