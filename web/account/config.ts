import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'
import { SettingsError } from '../../ops/settings/settings-error.ts'

export interface AccountConfig {
  /** OpenID provider where users sign in. */
  issuer: string
  /** It is the embedded one, whose users are ours. */
  isEmbedded: boolean
  clientId: string
  clientSecret: string
  /** Connects as role `account`. */
  databaseUrl: string
  /** Origin of the page as browsers see it. */
  url: string
  /** Secret that encrypts its cookies. */
  secret: string
  /** User of the issuer whose portfolios everybody may see under /demo; absent: nobody's. */
  demoSubject?: string
  /** Key for hashing passcodes of shared portfolios; absent: passcodes cannot be set. */
  pepper?: string
}

/**
 * Reads the environment once. null: OIDC_ISSUER or OIDC_CLIENT_ID is not set, so there is no account page.
 * Throws a SettingsError that lists every missing or invalid setting.
 */
export function readAccountConfig(env: Environment): AccountConfig | null {
  if (!env['OIDC_ISSUER'] || !env['OIDC_CLIENT_ID']) return null
  const data = readSettings(env, {
    required: [
      ...(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const),
      ...(['ACCOUNT_DATABASE_URL', 'ACCOUNT_URL', 'ACCOUNT_SECRET'] as const),
    ],
    optional: ['OIDC_AUDIENCE', 'SHARE_PEPPER', 'ISSUER_URL', 'DEMO_SUBJECT', 'SOURCES'],
  })
  // A sign-in yields a token with the client id as audience. The API must not accept such a token.
  if (data.OIDC_AUDIENCE === data.OIDC_CLIENT_ID)
    throw new SettingsError(['OIDC_AUDIENCE and OIDC_CLIENT_ID are equal. Give the API its own audience.'])
  if (data.DEMO_SUBJECT && data.SOURCES !== 'sandbox')
    throw new SettingsError(['DEMO_SUBJECT opens an account to everybody. It is for sandbox sources only.'])
  return {
    issuer: data.OIDC_ISSUER,
    isEmbedded: data.ISSUER_URL === data.OIDC_ISSUER,
    clientId: data.OIDC_CLIENT_ID,
    clientSecret: data.OIDC_CLIENT_SECRET,
    databaseUrl: data.ACCOUNT_DATABASE_URL,
    url: new URL(data.ACCOUNT_URL).origin,
    secret: data.ACCOUNT_SECRET,
    ...(data.SHARE_PEPPER && { pepper: data.SHARE_PEPPER }),
    ...(data.DEMO_SUBJECT && { demoSubject: data.DEMO_SUBJECT }),
  }
}
