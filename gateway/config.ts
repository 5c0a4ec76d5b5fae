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
  /** The same of a replica, for reads that may lag; absent: there is none. */
  replicaUrl?: string
  /** Connects as role `gateway`. */
  gatewayDatabaseUrl: string
  sharePepper?: string
  /** How clients reach the gateway, without a slash at the end. */
  publicUrl: string
  payTo: string
  facilitatorUrl: string
  facilitatorToken?: string
  /** A node of the chain; absent: what became of a payment is known from the facilitator alone. */
  rpcUrl?: string
  pricing: X402Pricing
  cookieSecrets: CookieSecrets
  cookieScope: SessionScope
  cookieRequestsPerSecond: number
  /** How long the answer to a settled payment is given again. */
  replaySeconds: number
  /** A payment that was settled before it came here is served. */
  servesElsewhere: boolean
  /** How many of the newest blocks are looked at again. */
  reorgBlocks: number
  /** Whose word on where a request comes from is taken: addresses, networks; absent: nobody's. */
  trustedProxies?: string
  sandbox: boolean
  logLevel: string
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
}

/** Reads the environment once. Throws a SettingsError with all that is missing or wrong. */
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
      'INSTALLATION_ID',
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
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID ?? null,
  }
}
