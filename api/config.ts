import { MCP_PATH } from '../clients/mcp/mcp-path.ts'
import type { AllowedHosts } from '../db/values/webhook-url.ts'
import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import type { Issuer } from './metering/bearer.ts'
import type { X402Pricing } from './x402-price.ts'

export interface ApiConfig {
  host: string
  /** 0: any free port. */
  port: number
  /** Connects as role `api`. */
  databaseUrl: string
  /** The same for a replica, for reads that may lag. Absent: no replica */
  replicaUrl?: string
  /** Connects as role `meter`. */
  meterDatabaseUrl: string
  /** Public key that seals exchange credentials. Absent: exchanges cannot be connected */
  exchangeSealKey?: string
  /** Hosts in a private network that webhooks may reach. */
  webhookHosts: AllowedHosts
  /**
   * Secret for hashing the passcodes of shared portfolios. Absent: portfolios with a passcode cannot be
   * opened
   */
  sharePepper?: string
  /** OpenID provider whose tokens are accepted. Absent: only API keys */
  issuer?: Issuer
  /** MCP over HTTP, and the provider whose tokens it accepts. Absent: it is not served */
  agents?: { url: string; issuer: Issuer }
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. Absent: none */
  trustedProxies?: string
  /** Address at which browsers reach the API. Absent: unknown */
  pagesUrl?: string
  /** How long the first read of a wallet waits for its balances. */
  firstReadWaitMs: number
  /** Bytes of answers to keep. */
  keptBytes: number
  /** Browsers use https. */
  secure: boolean
  /** Secret that encrypts the cookies of pages. Absent: a random one per process */
  pageSecret?: string
  sandbox: boolean
  logLevel: string
  /** Sent in a response header, for the supervisor. null: not sent */
  installation: string | null
  /** Which gateway price quotes show. */
  x402Pricing: X402Pricing
}

/** Reads the environment once. Throws one SettingsError that lists every missing or invalid setting. */
export function readApiConfig(env: Environment): ApiConfig {
  const data = readSettings(env, {
    required: ['API_DATABASE_URL', 'METER_DATABASE_URL'],
    optional: [
      ...(['API_HOST', 'API_PORT', 'API_REPLICA_URL', 'TRUSTED_PROXIES', 'SOURCES', 'LOG_LEVEL'] as const),
      'FIRST_READ_WAIT_SECONDS',
      'API_CACHE_MB',
      'WEBHOOK_ALLOWED_HOSTS',
      'INSTALLATION_ID',
      ...(['EXCHANGE_SEAL_KEY', 'SHARE_PEPPER', 'X402_PRICING'] as const),
      ...(['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_TOKEN_TYPE', 'OIDC_CLIENT_ID'] as const),
      ...(['ACCOUNT_URL', 'ACCOUNT_SECRET', 'MCP_AUDIENCE'] as const),
    ],
  })
  const pagesOrigin = data.ACCOUNT_URL && new URL(data.ACCOUNT_URL).origin
  return {
    host: data.API_HOST,
    port: data.API_PORT,
    databaseUrl: data.API_DATABASE_URL,
    ...(data.API_REPLICA_URL && { replicaUrl: data.API_REPLICA_URL }),
    meterDatabaseUrl: data.METER_DATABASE_URL,
    ...(data.EXCHANGE_SEAL_KEY && { exchangeSealKey: data.EXCHANGE_SEAL_KEY }),
    webhookHosts: data.WEBHOOK_ALLOWED_HOSTS ?? new Set(),
    ...(data.SHARE_PEPPER && { sharePepper: data.SHARE_PEPPER }),
    ...(data.OIDC_ISSUER && {
      issuer: {
        issuer: data.OIDC_ISSUER,
        audience: data.OIDC_AUDIENCE,
        tokenType: data.OIDC_TOKEN_TYPE,
        ...(data.OIDC_CLIENT_ID && { clientId: data.OIDC_CLIENT_ID }),
      },
    }),
    ...(data.OIDC_ISSUER &&
      pagesOrigin && {
        agents: {
          url: pagesOrigin,
          issuer: {
            issuer: data.OIDC_ISSUER,
            audience: data.MCP_AUDIENCE || `${pagesOrigin}${MCP_PATH}`,
            tokenType: data.OIDC_TOKEN_TYPE,
            ...(data.OIDC_CLIENT_ID && { clientId: data.OIDC_CLIENT_ID }),
          },
        },
      }),
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    ...(data.ACCOUNT_URL && { pagesUrl: data.ACCOUNT_URL }),
    firstReadWaitMs: data.FIRST_READ_WAIT_SECONDS * 1_000,
    keptBytes: data.API_CACHE_MB * 1024 * 1024,
    secure: data.ACCOUNT_URL?.startsWith('https:') ?? false,
    ...(data.ACCOUNT_SECRET && { pageSecret: data.ACCOUNT_SECRET }),
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID ?? null,
    x402Pricing: data.X402_PRICING,
  }
}
