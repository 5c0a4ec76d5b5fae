import type { WorkerPlaces } from '../db/values/task-queues.ts'
import type { AllowedHosts } from '../db/values/webhook-url.ts'
import type { Target } from '../export/target.ts'
import type { ReceiverConfig } from './incidents/receivers.ts'
import type { HostUnits } from '../ops/settings/kinds.ts'

export type NodeBudgets = ReadonlyMap<string, HostUnits>

export interface SourceConfig {
  url: string
  key: string | null
  requestsPerSecond: number
  burst: number
  /** Absent: full. */
  plan?: SourcePlan
}

/**
 * What a source may be asked for. keyless: its allowance without the key that it could have. free: that of a
 * free key, or of a source without keys. full: everything, such as the sandbox and paid plans.
 */
export type SourcePlan = 'keyless' | 'free' | 'full'

/** The worker's environment, read once at start. */
export interface WorkerConfig extends IngestConfig {
  ingestDatabaseUrl: string
  temporalAddress: string
  /** Who is told of incidents. */
  receivers: ReceiverConfig
  /** Address that is asked while a worker looks for incidents; null: none */
  heartbeatUrl: string | null
}

export interface IngestConfig {
  temporalNamespace: string
  /** Activities at the same time in a worker process, by task queue. */
  workerPlaces: WorkerPlaces
  /** Version of the code for Temporal's worker versioning; null: workers take every run. */
  workerVersion: string | null
  logLevel: string
  /** Base URL, key and rate limit by source name. A source that is not listed is off. */
  sources: Record<string, SourceConfig>
  /** JSON-RPC URLs by network id, in order of preference. A network that is not listed is off. */
  rpcUrls: Record<string, readonly string[]>
  /** Units that nodes may spend, by host. */
  nodeBudgets: NodeBudgets
  /** Networks whose head is followed; each has its nodes. */
  followedNetworks: readonly string[]
  /** Transactions a day of a followed wallet, beyond which it is paused until the next day. */
  walletDailyLimit: number
  /**
   * Key-encryption keys of exchange credentials and of the secrets of webhooks, newest first. Empty: exchange
   * accounts cannot be synced, and no webhooks are sent.
   */
  exchangeKeys: readonly string[]
  /** Hosts in a private network that webhooks may reach. */
  webhookHosts: AllowedHosts
  /** Days for which replaced rows are kept, and how far back `asOf` requests may reach. */
  asOfDays: number
  /** Target of the scheduled exports. null: no scheduled exports */
  exportTarget: Target | null
  /** Folder for a fixture of each answer. null: no recording */
  recordFolder: string | null
  /** Cache folder of the bundled workflows. null: they are bundled at each start */
  bundleFolder: string | null
}
