import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'
import { SettingsError } from '../../ops/settings/settings-error.ts'

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
 * Reads the environment once. Null: no OpenID provider with a client is set, and there is no account page. Throws a
 * SettingsError with all that is missing or wrong.
 */
export function readAccountConfig(env: Environment): AccountConfig | null {
  if (!env['OIDC_ISSUER'] || !env['OIDC_CLIENT_ID']) return null
  const data = readSettings(env, {
    required: [
      ...(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const),
      ...(['ACCOUNT_DATABASE_URL', 'ACCOUNT_URL', 'ACCOUNT_SECRET'] as const),
    ],
    optional: ['OIDC_AUDIENCE', 'SHARE_PEPPER'],
  })
  // Who signs in gets a token for this audience, which is no token for the API.
  if (data.OIDC_AUDIENCE === data.OIDC_CLIENT_ID)
    throw new SettingsError([
      'OIDC_AUDIENCE and OIDC_CLIENT_ID are the same: give the API an audience of its own',
    ])
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
