import { NETWORKS } from '../db/values/networks.ts'
import type { WorkerConfig } from './ingest-config.ts'

/** Networks whose wallets have a source. */
export function activeNetworks({ rpcUrls, sources }: Pick<WorkerConfig, 'rpcUrls' | 'sources'>): string[] {
  const others = NETWORKS.filter(
    ({ kind, history }) => kind !== 'evm' && history.some((source) => sources[source]),
  )
  return [...Object.keys(rpcUrls), ...others.map(({ id }) => id)]
}
