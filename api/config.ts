import { z } from 'zod'
import type { Issuer } from './metering/bearer.ts'
import { readVariables } from './read-variables.ts'
import type { X402Pricing } from './x402-price.ts'

const schema = z.object({
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
  API_DATABASE_URL: z.string().min(1),
  API_REPLICA_URL: z.string().optional(),
  METER_DATABASE_URL: z.string().min(1),
  EXCHANGE_SEAL_KEY: z.string().optional(),
  SHARE_PEPPER: z.string().optional(),
  OIDC_ISSUER: z.url().optional(),
  OIDC_AUDIENCE: z.string().default('urn:sluice:api'),
  ACCOUNT_URL: z.url().optional(),
  ACCOUNT_SECRET: z.string().optional(),
  TRUSTED_PROXIES: z.string().optional(),
  SOURCES: z.enum(['sandbox', 'live']).default('sandbox'),
  LOG_LEVEL: z.string().default('info'),
  INSTALLATION_ID: z.string().nullable().default(null),
  X402_PRICING: z.enum(['flat', 'multiplied']).default('flat'),
})

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

/** Reads the environment once. Throws with the names of the variables that are missing or wrong. */
export function readApiConfig(env: Record<string, string | undefined>): ApiConfig {
  const data = readVariables(schema, env)
  return {
    host: data.API_HOST,
    port: data.API_PORT,
    databaseUrl: data.API_DATABASE_URL,
    ...(data.API_REPLICA_URL && { replicaUrl: data.API_REPLICA_URL }),
    meterDatabaseUrl: data.METER_DATABASE_URL,
    ...(data.EXCHANGE_SEAL_KEY && { exchangeSealKey: data.EXCHANGE_SEAL_KEY }),
    ...(data.SHARE_PEPPER && { sharePepper: data.SHARE_PEPPER }),
    ...(data.OIDC_ISSUER && {
      issuer: { issuer: data.OIDC_ISSUER, audience: data.OIDC_AUDIENCE },
    }),
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    secure: data.ACCOUNT_URL?.startsWith('https:') ?? false,
    ...(data.ACCOUNT_SECRET && { pageSecret: data.ACCOUNT_SECRET }),
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID,
    x402Pricing: data.X402_PRICING,
  }
}
