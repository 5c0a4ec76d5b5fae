import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import type { Issuer } from './metering/bearer.ts'
import type { X402Pricing } from './x402-price.ts'

export interface ApiConfig {
  host: string
  /** 0: any free port. */
  port: number
  /** Connects as role `api`. */
  databaseUrl: string
  /** The same of a replica, for reads that may lag; absent: there is none. */
  replicaUrl?: string
  /** Connects as role `meter`. */
  meterDatabaseUrl: string
  /** Public half of the key that credentials of exchanges are sealed with; absent: none can be connected. */
  exchangeSealKey?: string
  /** What passcodes of shared portfolios are keyed with; absent: none of them opens. */
  sharePepper?: string
  /** OpenID provider whose tokens are accepted; absent: keys alone. */
  issuer?: Issuer
  /** Whose word on where a request comes from is taken: addresses, networks; absent: nobody's. */
  trustedProxies?: string
  /** Browsers come by https. */
  secure: boolean
  /** What cookies of pages are encrypted with; absent: nothing that other processes know. */
  pageSecret?: string
  sandbox: boolean
  logLevel: string
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
  /** What quotes say of the gateway's price. */
  x402Pricing: X402Pricing
}

/** Reads the environment once. Throws a SettingsError with all that is missing or wrong. */
export function readApiConfig(env: Environment): ApiConfig {
  const data = readSettings(env, {
    required: ['API_DATABASE_URL', 'METER_DATABASE_URL'],
    optional: [
      ...(['API_HOST', 'API_PORT', 'API_REPLICA_URL', 'TRUSTED_PROXIES', 'SOURCES', 'LOG_LEVEL'] as const),
      'INSTALLATION_ID',
      ...(['EXCHANGE_SEAL_KEY', 'SHARE_PEPPER', 'X402_PRICING'] as const),
      ...(['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_TOKEN_TYPE', 'OIDC_CLIENT_ID'] as const),
      ...(['ACCOUNT_URL', 'ACCOUNT_SECRET'] as const),
    ],
  })
  return {
    host: data.API_HOST,
    port: data.API_PORT,
    databaseUrl: data.API_DATABASE_URL,
    ...(data.API_REPLICA_URL && { replicaUrl: data.API_REPLICA_URL }),
    meterDatabaseUrl: data.METER_DATABASE_URL,
    ...(data.EXCHANGE_SEAL_KEY && { exchangeSealKey: data.EXCHANGE_SEAL_KEY }),
    ...(data.SHARE_PEPPER && { sharePepper: data.SHARE_PEPPER }),
    ...(data.OIDC_ISSUER && {
      issuer: {
        issuer: data.OIDC_ISSUER,
        audience: data.OIDC_AUDIENCE,
        tokenType: data.OIDC_TOKEN_TYPE,
        ...(data.OIDC_CLIENT_ID && { clientId: data.OIDC_CLIENT_ID }),
      },
    }),
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    secure: data.ACCOUNT_URL?.startsWith('https:') ?? false,
    ...(data.ACCOUNT_SECRET && { pageSecret: data.ACCOUNT_SECRET }),
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID ?? null,
    x402Pricing: data.X402_PRICING,
  }
}
