import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Passwords of the embedded database, by role. */
export interface Secrets {
  owner: string
  ingest: string
  api: string
  meter: string
}

const fileOf = (home: string) => join(home, 'secrets.json')

/** The passwords of an installation; null when none were made yet. */
export function readSecrets(home: string): Secrets | null {
  try {
    return JSON.parse(readFileSync(fileOf(home), 'utf8')) as Secrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes the passwords of a new installation; only its owner may read them. */
export function createSecrets(home: string): Secrets {
  const password = () => randomBytes(24).toString('base64url')
  const secrets = { owner: password(), ingest: password(), api: password(), meter: password() }
  writeFileSync(fileOf(home), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return secrets
}
