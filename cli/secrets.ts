import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSealingKey } from '../db/values/sealed-secret.ts'
import { writeWhole } from './write-whole.ts'

const password = () => randomBytes(24).toString('base64url')
const walletKey = () => `0x${randomBytes(32).toString('hex')}`

/** How each secret is made. */
const MAKE = {
  // Passwords of the embedded database by role.
  owner: password,
  ingest: password,
  api: password,
  meter: password,
  gateway: password,
  account: password,
  console: password,
  issuer: password,
  temporal: password,
  /** Key-encryption keys of exchange credentials, newest first. */
  exchangeKeys: () => [createSealingKey()],
  /** Keys that seal the secrets of users' apps at the embedded issuer, newest first. */
  issuerKeys: () => [createSealingKey()],
  /** Key for the hashes of share passcodes. */
  sharePepper: password,
  /** Keys of wallets on the sandbox chain: of the embedded facilitator and of `sluice pay`. */
  facilitatorKey: walletKey,
  payerKey: walletKey,
  /** Signs the sessions of the gateway. */
  cookieSecret: password,
  /** Encrypts the cookies of the account page. */
  accountSecret: password,
  /**
   * Client secrets of the account page and the shell at the embedded issuer, and the passwords of its users.
   */
  oidcClientSecret: password,
  shellSecret: password,
  demoPassword: () => randomBytes(9).toString('base64url'),
  operatorPassword: () => randomBytes(9).toString('base64url'),
}

type Name = keyof typeof MAKE
const NAMES = Object.keys(MAKE) as Name[]
/** Kept as lists. */
const LISTS: ReadonlySet<Name> = new Set<Name>(['exchangeKeys', 'issuerKeys'])

/** Passwords and keys of an installation. */
export type Secrets = { [K in Name]: ReturnType<(typeof MAKE)[K]> }

const fileOf = (home: string) => join(home, 'secrets.json')

/** Reads the secrets. A secret that an older version did not have is empty. null: there are none yet. */
export function readSecrets(home: string): Secrets | null {
  try {
    const stored = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Partial<Secrets>
    const empty = NAMES.map((name) => [name, LISTS.has(name) ? [] : ''])
    return { ...(Object.fromEntries(empty) as Secrets), ...stored }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates the secrets of a new installation in a file that only its owner may read. */
export function createSecrets(home: string): Secrets {
  const secrets = make(NAMES) as Secrets
  write(home, secrets, { exclusive: true })
  return secrets
}

/** Creates the secrets that an older version did not have. */
export function completeSecrets(home: string, secrets: Secrets): Secrets {
  const missing = NAMES.filter((name) => secrets[name].length === 0)
  if (missing.length === 0) return secrets
  const complete = { ...secrets, ...make(missing) }
  write(home, complete)
  return complete
}

/** Adds a key-encryption key before the others: after the next start it seals, and the others still open. */
export function addSealingKey(
  home: string,
  secrets: Secrets,
  name: 'exchangeKeys' | 'issuerKeys' = 'exchangeKeys',
): Secrets {
  const extended = { ...secrets, [name]: [createSealingKey(), ...secrets[name]] }
  write(home, extended)
  return extended
}

const make = (names: readonly Name[]): Partial<Secrets> =>
  Object.fromEntries(names.map((name) => [name, MAKE[name]()]))

function write(home: string, secrets: Secrets, { exclusive = false } = {}): void {
  writeWhole(fileOf(home), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, exclusive })
}
