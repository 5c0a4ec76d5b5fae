import type { Target } from '../export/target.ts'

export interface SourceConfig {
  url: string
  key: string | null
  requestsPerSecond: number
  burst: number
}

/** The worker's environment, read once at start. */
export interface WorkerConfig extends IngestConfig {
  ingestDatabaseUrl: string
  temporalAddress: string
}

export interface IngestConfig {
  temporalNamespace: string
  logLevel: string
  /** Base URL, key and allowance by source name; a source that is not listed is off. */
  sources: Record<string, SourceConfig>
  /** JSON-RPC URL by network id; a network that is not listed is off. */
  rpcUrls: Record<string, string>
  /** Key-encryption keys of exchange credentials, the newest first; none: accounts cannot be synced. */
  exchangeKeys: readonly string[]
  /** For how many days what was replaced is kept: as far back answers may be asked for. */
  asOfDays: number
  /** Where analysts find the exports; null: there are none by themselves. */
  exportTarget: Target | null
  /** Folder that gets a fixture of each answer; null: no recording. */
  recordFolder: string | null
  /** For the bundled workflows; null: they are bundled at each start. */
  bundleFolder: string | null
}
