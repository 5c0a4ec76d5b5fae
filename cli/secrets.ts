import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSealingKey } from '../db/values/sealed-secret.ts'

/** Passwords of the embedded database by role, and keys of what is stored encrypted. */
export interface Secrets {
  owner: string
  ingest: string
  api: string
  meter: string
  /** Key-encryption keys of exchange credentials, the newest first. */
  exchangeKeys: string[]
}

const fileOf = (home: string) => join(home, 'secrets.json')

/** The passwords of an installation; null when none were made yet. */
export function readSecrets(home: string): Secrets | null {
  try {
    // Installations that are older have no keys yet.
    const stored = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Omit<Secrets, 'exchangeKeys'> &
      Partial<Secrets>
    return { ...stored, exchangeKeys: stored.exchangeKeys ?? [] }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes the passwords of a new installation; only its owner may read them. */
export function createSecrets(home: string): Secrets {
  const password = () => randomBytes(24).toString('base64url')
  const passwords = { owner: password(), ingest: password(), api: password(), meter: password() }
  const secrets = { ...passwords, exchangeKeys: [createSealingKey()] }
  write(home, secrets, 'wx')
  return secrets
}

/** Puts a new key-encryption key before the others: from the next start on it seals, and they still open. */
export function addExchangeKey(home: string, secrets: Secrets): Secrets {
  const extended = { ...secrets, exchangeKeys: [createSealingKey(), ...secrets.exchangeKeys] }
  write(home, extended, 'w')
  return extended
}

function write(home: string, secrets: Secrets, flag: 'w' | 'wx'): void {
  writeFileSync(fileOf(home), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag })
}
