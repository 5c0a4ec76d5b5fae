/** The worker's environment, read once at start. */
export interface WorkerConfig {
  ingestDatabaseUrl: string
  temporalAddress: string
  temporalNamespace: string
  /** Base URL and key by source name; a source that is not listed is off. */
  sources: Record<string, { url: string; key: string | null }>
  /** JSON-RPC URL by network id; a network that is not listed is off. */
  rpcUrls: Record<string, string>
}
