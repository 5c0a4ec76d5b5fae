import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'
import { SettingsError } from '../../ops/settings/settings-error.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'

export interface IssuerConfig {
  /** Its address as browsers and the API see it. */
  issuer: string
  host: string
  port: number
  /** Connects as role `issuer`. */
  databaseUrl: string
  audience: string
  /** OpenID client of the account page. */
  client: { id: string; secret: string; url: string }
  /** File with the signing keys. */
  keysFile: string
  /** Private keys that open the secrets of users' apps, newest first. */
  sealingKeys: readonly string[]
  /** Passwords of the users of the sandbox by name; none with live sources. */
  demoUsers: Readonly<Record<string, string>>
  /** null: shells get no tokens */
  shellSecret: string | null
  /** Proxies whose X-Forwarded-For is trusted; absent: none */
  trustedProxies?: string
  logLevel: string
  /** Id in response headers, for the supervisor; null: none. */
  installation: string | null
}

/** Reads the environment once. Throws a SettingsError that lists every missing or invalid setting. */
export function readIssuerConfig(env: Environment): IssuerConfig {
  const data = readSettings(env, {
    required: [
      ...(['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'ACCOUNT_URL'] as const),
      ...(['ISSUER_KEYS', 'ISSUER_SEALING_KEYS', 'ISSUER_DATABASE_URL'] as const),
    ],
    optional: [
      ...(['ISSUER_HOST', 'ISSUER_PORT', 'TRUSTED_PROXIES', 'LOG_LEVEL', 'INSTALLATION_ID'] as const),
      ...(['ISSUER_PASSWORD', 'ISSUER_OPERATOR_PASSWORD', 'ISSUER_SHELL_SECRET', 'SOURCES'] as const),
    ],
  })
  if (new URL(data.OIDC_ISSUER).pathname !== '/')
    throw new SettingsError([
      'OIDC_ISSUER is an address with a path. The embedded provider needs a host of its own.',
    ])
  const isSandbox = data.SOURCES === 'sandbox'
  return {
    issuer: data.OIDC_ISSUER,
    host: data.ISSUER_HOST,
    port: data.ISSUER_PORT,
    databaseUrl: data.ISSUER_DATABASE_URL,
    audience: data.OIDC_AUDIENCE,
    client: { id: data.OIDC_CLIENT_ID, secret: data.OIDC_CLIENT_SECRET, url: data.ACCOUNT_URL },
    keysFile: data.ISSUER_KEYS,
    sealingKeys: data.ISSUER_SEALING_KEYS.split(','),
    demoUsers: isSandbox
      ? {
          ...(data.ISSUER_PASSWORD && { [DEMO_SUBJECT]: data.ISSUER_PASSWORD }),
          ...(data.ISSUER_OPERATOR_PASSWORD && { [OPERATOR_SUBJECT]: data.ISSUER_OPERATOR_PASSWORD }),
        }
      : {},
    shellSecret: (isSandbox && data.ISSUER_SHELL_SECRET) || null,
    ...(data.TRUSTED_PROXIES && { trustedProxies: data.TRUSTED_PROXIES }),
    logLevel: data.LOG_LEVEL,
    installation: data.INSTALLATION_ID ?? null,
  }
}
