import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'

export interface IssuerConfig {
  issuer: string
  audience: string
  /** OpenID client of the account page. */
  client: { id: string; secret: string; url: string }
  /** File with the signing keys. */
  keysFile: string
  /** Passwords by user name. */
  users: Readonly<Record<string, string>>
  shellSecret: string
  /** Id in response headers, for the supervisor; null: none. */
  installation: string | null
}

/** Reads the environment once. Throws a SettingsError that lists every missing or invalid setting. */
export function readIssuerConfig(env: Environment): IssuerConfig {
  const data = readSettings(env, {
    required: [
      ...(['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'ACCOUNT_URL'] as const),
      ...(['ISSUER_KEYS', 'ISSUER_PASSWORD', 'ISSUER_OPERATOR_PASSWORD', 'ISSUER_SHELL_SECRET'] as const),
    ],
    optional: ['INSTALLATION_ID'],
  })
  return {
    issuer: data.OIDC_ISSUER,
    audience: data.OIDC_AUDIENCE,
    client: { id: data.OIDC_CLIENT_ID, secret: data.OIDC_CLIENT_SECRET, url: data.ACCOUNT_URL },
    keysFile: data.ISSUER_KEYS,
    shellSecret: data.ISSUER_SHELL_SECRET,
    installation: data.INSTALLATION_ID ?? null,
    users: { [DEMO_SUBJECT]: data.ISSUER_PASSWORD, [OPERATOR_SUBJECT]: data.ISSUER_OPERATOR_PASSWORD },
  }
}
