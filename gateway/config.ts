import type { X402Pricing } from '../api/x402-price.ts'
import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import type { CookieSecrets } from './session/session-cookie.ts'
import type { SessionScope } from './session/sessions.ts'

export interface GatewayConfig {
  host: string
  /** 0: any free port. */
  port: number
  /** Connects as role `api`. */
  databaseUrl: string
  /** Connects to a replica as role `api`, for reads that may lag; absent: no replica. */
  replicaUrl?: string
  /** Connects as role `gateway`. */
  gatewayDatabaseUrl: string
  sharePepper?: string
  /** URL at which clients reach the gateway, without a trailing slash. */
  publicUrl: string
  /** URL at which browsers reach the API's pages; absent: unknown. */
  pagesUrl?: string
  payTo: string
  facilitatorUrl: string
  facilitatorToken?: string
  /** A node of the chain; absent: only the facilitator reports the outcome of payments. */
  rpcUrl?: string
  pricing: X402Pricing
  cookieSecrets: CookieSecrets
  cookieScope: SessionScope
  cookieRequestsPerSecond: number
  /** How long a repeated request gets the stored answer of its settled payment. */
  replaySeconds: number
  /** Whether to serve payments that were settled before they arrived here. */
  servesElsewhere: boolean
  /** Number of newest blocks whose payments are rechecked. */
  reorgBlocks: number
  /** Addresses and networks of proxies whose forwarding headers are trusted; absent: none. */
  trustedProxies?: string
  /** How long the first read of a wallet waits for its balances. */
  firstReadWaitMs: number
  /** Bytes of answers to keep. */
  keptBytes: number
  sandbox: boolean
  logLevel: string
  /** Id in response headers, for the supervisor; null: none. */
  installation: string | null
}

/** Reads the environment once. Throws a SettingsError that lists every missing or invalid setting. */
export function readGatewayConfig(env: Environment): GatewayConfig {
  const data = readSettings(env, {
    required: [
      ...(['API_DATABASE_URL', 'GATEWAY_DATABASE_URL'] as const),
      ...(['X402_PUBLIC_URL', 'X402_PAY_TO', 'X402_FACILITATOR_URL', 'X402_COOKIE_SECRETS'] as const),
    ],
    optional: [
      ...(['GATEWAY_HOST', 'GATEWAY_PORT', 'API_REPLICA_URL', 'SHARE_PEPPER', 'TRUSTED_PROXIES'] as const),
      ...(['X402_FACILITATOR_TOKEN', 'X402_RPC_URL', 'X402_PRICING'] as const),
      ...(['X402_COOKIE_SCOPE', 'X402_COOKIE_RPS', 'X402_REPLAY_SECONDS'] as const),
      ...(['X402_SETTLED_ELSEWHERE', 'X402_REORG_BLOCKS', 'SOURCES', 'LOG_LEVEL'] as const),
      ...(['INSTALLATION_ID', 'ACCOUNT_URL', 'FIRST_READ_WAIT_SECONDS', 'API_CACHE_MB'] as const),
    ],
  })
  return {
    host: data.GATEWAY_HOST,
    port: data.GATEWAY_PORT,
    databaseUrl: data.API_DATABASE_URL,
    ...(data.API_REPLICA_URL && { replicaUrl: data.API_REPLICA_URL }),
    gatewayDatabaseUrl: data.GATEWAY_DATABASE_URL,
    ...(data.SHARE_PEPPER && { sharePepper: data.SHARE_PEPPER }),
    publicUrl: data.X402_PUBLIC_URL,
    ...(data.ACCOUNT_URL && { pagesUrl: data.ACCOUNT_URL }),
    payTo: data.X402_PAY_TO,
    facilitatorUrl: data.X402_FACILITATOR_URL,
    ...(data.X402_FACILITATOR_TOKEN && { facilitatorToken: data.X402_FACILITATOR_TOKEN }),
    ...(data.X402_RPC_URL && { rpcUrl: data.X402_RPC_URL }),
    pricing: data.X402_PRICING,
    cookieSecrets: data.X402_COOKIE_SECRETS,
    cookieScope: data.X402_COOKIE_SCOPE,
    cookieRequestsPerSecond: data.X402_COOKIE_RPS,
    replaySeconds: data.X402_REPLAY_SECONDS,
    servesElsewhere: data.X402_SETTLED_ELSEWHERE === 'serve',
    reorgBlocks: data.X402_REORG_BLOCKS,
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    firstReadWaitMs: data.FIRST_READ_WAIT_SECONDS * 1_000,
    keptBytes: data.API_CACHE_MB * 1024 * 1024,
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID ?? null,
  }
}
