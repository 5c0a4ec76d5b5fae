import { hash } from 'node:crypto'
import { join } from 'node:path'
import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import { sealingPublicKey } from '../db/values/sealed-secret.ts'
import { DEMO_SUBJECT } from '../db/values/demo-names.ts'
import { homeFolder } from './folders.ts'
import { RECEIVER_PORT } from './specs/webhooks.ts'
import type { Run } from './supervisor/run-file.ts'
import type { Secrets } from './secrets.ts'

const DATABASE = 'sluice'
/** Nobody's address. It receives payments on the sandbox chain unless the operator sets X402_PAY_TO. */
const SANDBOX_PAY_TO = '0x9a7d000000000000000000000000000000000402'

interface EnvironmentOptions {
  run: Pick<Run, 'ports' | 'temporalAddress' | 'sources' | 'settings' | 'installation'>
  secrets: Pick<Secrets, 'owner' | 'ingest' | 'api' | 'meter' | 'gateway'> & Partial<Secrets>
}

/**
 * Returns the environment of all processes of an installation, with the addresses of its parts. See
 * docs/configuration.md.
 */
export function serviceEnvironment({ run, secrets }: EnvironmentOptions): Record<string, string> {
  const { ports, temporalAddress, sources, settings = {} } = run
  const url = (role: string, password: string, port = ports['pgbouncer'] ?? ports['postgres']) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`
  return {
    SOURCES: sources,
    // Not through PgBouncer: operators may need a whole session, as exports do for their lock.
    DATABASE_URL: url('sluice', secrets.owner, ports['postgres']),
    INGEST_DATABASE_URL: url('ingest', secrets.ingest),
    API_DATABASE_URL: url('api', secrets.api),
    METER_DATABASE_URL: url('meter', secrets.meter),
    GATEWAY_DATABASE_URL: url('gateway', secrets.gateway),
    TEMPORAL_ADDRESS: temporalAddress,
    ...(ports['temporal-ui'] !== undefined && {
      TEMPORAL_UI_URL: `http://127.0.0.1:${ports['temporal-ui']}`,
    }),
    API_PORT: String(ports.api),
    LOG_FOLDER: join(homeFolder(), 'logs'),
    ...exchangeKeys(secrets.exchangeKeys ?? []),
    ...(secrets.sharePepper && { SHARE_PEPPER: secrets.sharePepper }),
    ...(secrets.account && { ACCOUNT_DATABASE_URL: url('account', secrets.account) }),
    ...(secrets.console && { CONSOLE_DATABASE_URL: url('console', secrets.console) }),
    ...(secrets.issuer &&
      ports['issuer'] !== undefined && { ISSUER_DATABASE_URL: url('issuer', secrets.issuer) }),
    ...(secrets.accountSecret && { ACCOUNT_SECRET: accountSecret(secrets, ports['issuer'] !== undefined) }),
    ...(ports['issuer'] !== undefined && embeddedIssuer(run, secrets)),
    ...identity(run),
    ...(sources === 'sandbox' && sandboxEnvironment(run)),
    ...(ports['facilitator'] !== undefined && embeddedFacilitator(ports, settings)),
    ...gatewayEnvironment({ ports, settings }, secrets.cookieSecret),
  }
}

/** The id that HTTP services send in their health answers. */
function identity({ installation }: Pick<Run, 'installation'>): Record<string, string> {
  return installation === undefined ? {} : { INSTALLATION_ID: installation }
}

/**
 * The address at which clients reach the gateway, and the secrets of its sessions. Settings of the operator
 * win.
 */
function gatewayEnvironment(
  { ports, settings }: { ports: Run['ports']; settings: Record<string, string> },
  cookieSecret: string | undefined,
): Record<string, string> {
  const secrets = settings['X402_COOKIE_SECRETS'] || (cookieSecret && `a:${cookieSecret}`)
  return {
    GATEWAY_PORT: String(ports['gateway']),
    X402_PUBLIC_URL: settings['X402_PUBLIC_URL'] || `http://127.0.0.1:${ports['gateway']}`,
    ...(secrets && { X402_COOKIE_SECRETS: secrets }),
  }
}

/** Payments go to the embedded facilitator, which settles them on the sandbox chain. */
function embeddedFacilitator(ports: Run['ports'], settings: Record<string, string>): Record<string, string> {
  return {
    X402_FACILITATOR_URL: `http://127.0.0.1:${ports['facilitator']}`,
    X402_RPC_URL: `http://127.0.0.1:${ports['base-wallet']}`,
    X402_PAY_TO: settings['X402_PAY_TO'] || SANDBOX_PAY_TO,
  }
}

/** The account page signs in at the embedded OpenID provider, whose tokens open the API as well. */
function embeddedIssuer(
  { ports, sources, settings = {} }: EnvironmentOptions['run'],
  secrets: Partial<Secrets>,
): Record<string, string> {
  if (!secrets.oidcClientSecret) return {}
  const issuer = settings['ISSUER_URL'] || `http://127.0.0.1:${ports['issuer']}`
  return {
    ISSUER_URL: issuer,
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: 'urn:sluice:api',
    OIDC_CLIENT_ID: 'sluice-account',
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
    ...(sources === 'sandbox' && { DEMO_SUBJECT }),
    ACCOUNT_URL: settings['ACCOUNT_URL'] || `http://127.0.0.1:${ports['api']}`,
  }
}

/**
 * Derives the cookie secret from the passwords of the embedded issuer: new passwords sign out all its users.
 */
function accountSecret(
  { accountSecret: secret = '', demoPassword, operatorPassword }: Partial<Secrets>,
  isEmbedded: boolean,
): string {
  if (!isEmbedded) return secret
  return hash('sha256', JSON.stringify([secret, demoPassword, operatorPassword]), 'base64url')
}

/** The worker opens credentials with any of the keys; the API seals them with the newest. */
function exchangeKeys(keys: readonly string[]): Record<string, string> {
  const [newest] = keys
  if (newest === undefined) return {}
  return { EXCHANGE_KEYS: keys.join(','), EXCHANGE_SEAL_KEY: sealingPublicKey(newest) }
}

/** In the sandbox every upstream is the local simulator or a local chain. Only these addresses differ. */
export function sandboxEnvironment(
  run: Pick<Run, 'ports' | 'settings' | 'installation'>,
): Record<string, string> {
  const { ports, settings = {} } = run
  const simulator = `http://127.0.0.1:${ports.sandbox}`
  return {
    ...identity(run),
    ...Object.fromEntries(
      AREAS.flatMap(({ sources }) => sources.flatMap((source) => simulated(source, simulator))),
    ),
    // A receiver of the sandbox: docs/events.md.
    WEBHOOK_ALLOWED_HOSTS: settings['WEBHOOK_ALLOWED_HOSTS'] || `127.0.0.1:${RECEIVER_PORT}`,
    RPC_URL_ETHEREUM: `http://127.0.0.1:${ports.ethereum}`,
    RPC_URL_BASE_WALLET: `http://127.0.0.1:${ports['base-wallet']}`,
  }
}

/** The variables that point a source at the simulator. */
function simulated({ sandbox, urlVariable, key }: SourceSpec, simulator: string): [string, string][] {
  if (!sandbox) return []
  const url: [string, string] = [urlVariable, `${simulator}${sandbox.path}`]
  return sandbox.key !== undefined && key ? [url, [key.variable, sandbox.key]] : [url]
}
