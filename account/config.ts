import { z } from 'zod'
import { readVariables } from '../api/read-variables.ts'

const schema = z.object({
  OIDC_ISSUER: z.url(),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(1),
  OIDC_AUDIENCE: z.string().optional(),
  ACCOUNT_DATABASE_URL: z.string().min(1),
  ACCOUNT_URL: z.url(),
  ACCOUNT_SECRET: z.string().min(16),
  SHARE_PEPPER: z.string().optional(),
})

export interface AccountConfig {
  /** Where its users sign in. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Connects as role `account`. */
  databaseUrl: string
  /** Origin of the page as browsers see it. */
  url: string
  /** What its cookies are encrypted with. */
  secret: string
  /** What passcodes of shared portfolios are keyed with; absent: none can be set. */
  pepper?: string
}

/**
 * Reads the environment once. Null: no OpenID provider with a client is set, and there is no account page. Throws with
 * the names of the variables that are missing or wrong.
 */
export function readAccountConfig(env: Record<string, string | undefined>): AccountConfig | null {
  if (!env['OIDC_ISSUER'] || !env['OIDC_CLIENT_ID']) return null
  const data = readVariables(schema, env)
  // Who signs in gets a token for this audience, which is no token for the API.
  if (data.OIDC_AUDIENCE === data.OIDC_CLIENT_ID)
    throw new Error('OIDC_AUDIENCE and OIDC_CLIENT_ID are the same')
  return {
    issuer: data.OIDC_ISSUER,
    clientId: data.OIDC_CLIENT_ID,
    clientSecret: data.OIDC_CLIENT_SECRET,
    databaseUrl: data.ACCOUNT_DATABASE_URL,
    url: new URL(data.ACCOUNT_URL).origin,
    secret: data.ACCOUNT_SECRET,
    ...(data.SHARE_PEPPER && { pepper: data.SHARE_PEPPER }),
  }
}
