import { z } from 'zod'
import { parseEvmAddress } from '../db/values/evm-address.ts'
import { readVariables } from '../api/read-variables.ts'
import type { X402Pricing } from '../api/x402-price.ts'
import { isSafeUrl } from './is-safe-url.ts'
import type { CookieSecrets } from './session-cookie.ts'
import type { SessionScope } from './sessions.ts'

const MIN_SECRET_LENGTH = 32

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))
const safeUrl = url.refine((text) => isSafeUrl(new URL(text)))

/** `kid:secret`, comma-separated. */
const secrets = z.string().transform((text, context): CookieSecrets => {
  const list = text.split(',').map((item) => {
    const [kid = '', ...rest] = item.split(':')
    return { kid, secret: rest.join(':') }
  })
  const kids = new Set(list.map(({ kid }) => kid))
  if (
    kids.size === list.length &&
    list.every((one) => one.kid !== '' && one.secret.length >= MIN_SECRET_LENGTH)
  )
    return list
  context.addIssue({ code: 'custom', message: 'kid:secret, each secret of 32 characters or more' })
  return z.NEVER
})

const schema = z.object({
  GATEWAY_HOST: z.string().default('127.0.0.1'),
  GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(8_402),
  API_DATABASE_URL: z.string().min(1),
  API_REPLICA_URL: z.string().optional(),
  GATEWAY_DATABASE_URL: z.string().min(1),
  SHARE_PEPPER: z.string().optional(),
  X402_PUBLIC_URL: url,
  X402_PAY_TO: z.string().refine((text) => parseEvmAddress(text) !== null),
  X402_FACILITATOR_URL: safeUrl,
  X402_FACILITATOR_TOKEN: z.string().optional(),
  X402_RPC_URL: safeUrl.optional(),
  X402_PRICING: z.enum(['flat', 'multiplied']).default('flat'),
  X402_COOKIE_SECRETS: secrets,
  X402_COOKIE_SCOPE: z.enum(['tier', 'route', 'url']).default('tier'),
  X402_COOKIE_RPS: z.coerce.number().positive().max(100_000).default(10),
  TRUSTED_PROXIES: z.string().optional(),
  SOURCES: z.enum(['sandbox', 'live']).default('sandbox'),
  LOG_LEVEL: z.string().default('info'),
  INSTALLATION_ID: z.string().nullable().default(null),
})

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
  /** Whose word on where a request comes from is taken: addresses, networks; absent: nobody's. */
  trustedProxies?: string
  sandbox: boolean
  logLevel: string
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
}

/** Reads the environment once. Throws with the names of the variables that are missing or wrong. */
export function readGatewayConfig(env: Record<string, string | undefined>): GatewayConfig {
  const data = readVariables(schema, env)
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
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    sandbox: data.SOURCES === 'sandbox',
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID,
  }
}
