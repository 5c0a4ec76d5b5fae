import type pg from 'pg'
import type { Logger } from 'pino'
import type { NodeDeps } from '../../deps.ts'
import type { HttpClient } from '../../http-client.ts'
import type { WorkerConfig } from '../../ingest-config.ts'
import { createNetworks } from '../networks.ts'
import { coldReader } from '../read-cold.ts'
import { deriveLoop } from './derive-wallets.ts'
import type { Lane } from './derive-wallets.ts'

interface DeriveActivityDeps extends NodeDeps {
  pool: pg.Pool
  http: HttpClient
  config: Pick<WorkerConfig, 'followedNetworks' | 'sources' | 'walletDailyLimit' | 'exportTarget'>
  now: () => Date
  log: Logger
  /** Aborted when the running activity must end: it was cancelled, or its worker shuts down. */
  ending: () => AbortSignal
  /** Ends early when the running activity must end. */
  wait: (ms: number) => Promise<void>
}

export type DeriveActivities = ReturnType<typeof createDeriveActivities>

/** The activities that make rows of the API of what followers store. */
export function createDeriveActivities(deps: DeriveActivityDeps) {
  const networkOf = createNetworks(deps)
  const readCold = coldReader(deps.config.exportTarget)
  return {
    /** Derives touched wallets for an hour. `unset`: this worker is not set to follow any network. */
    async deriveWallets(lane: Lane): Promise<'again' | 'unset'> {
      const { followedNetworks: networkIds, walletDailyLimit: dailyLimit } = deps.config
      if (networkIds.length === 0) return 'unset'
      await deriveLoop(
        { ...deps, networkOf, dailyLimit, readCold, signal: deps.ending() },
        { ...lane, networkIds },
      )
      return 'again'
    },
  }
}
