import type { WorkerConfig } from './ingest-config.ts'

/** Networks whose wallets have a source. */
export function activeNetworks({ rpcUrls, sources }: Pick<WorkerConfig, 'rpcUrls' | 'sources'>): string[] {
  const { esplora, solana } = sources
  return [...Object.keys(rpcUrls), ...(esplora ? ['bitcoin'] : []), ...(solana ? ['solana'] : [])]
}
