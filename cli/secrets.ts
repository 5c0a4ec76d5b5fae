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
  gateway: string
  /** Key-encryption keys of exchange credentials, the newest first. */
  exchangeKeys: string[]
  /** What passcodes of shared portfolios are keyed with. */
  sharePepper: string
  /** Keys of wallets on the sandbox chain: the embedded facilitator's, and that of `sluice pay`. */
  facilitatorKey: string
  payerKey: string
}

/** Not in the file of an installation that is older than they are. */
type Younger = 'exchangeKeys' | 'sharePepper' | 'gateway' | 'facilitatorKey' | 'payerKey'

const fileOf = (home: string) => join(home, 'secrets.json')

/** The secrets of an installation, empty those that its version did not have; null when none were made yet. */
export function readSecrets(home: string): Secrets | null {
  try {
    const {
      exchangeKeys = [],
      sharePepper = '',
      gateway = '',
      facilitatorKey = '',
      payerKey = '',
      ...passwords
    } = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Omit<Secrets, Younger> & Partial<Secrets>
    return { ...passwords, exchangeKeys, sharePepper, gateway, facilitatorKey, payerKey }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes the secrets of a new installation; only its owner may read them. */
export function createSecrets(home: string): Secrets {
  const passwords = {
    owner: password(),
    ingest: password(),
    api: password(),
    meter: password(),
    gateway: password(),
  }
  const secrets = {
    ...{ ...passwords, exchangeKeys: [createSealingKey()], sharePepper: password() },
    ...{ facilitatorKey: walletKey(), payerKey: walletKey() },
  }
  write(home, secrets, 'wx')
  return secrets
}

/** Makes what an older version had none of yet. */
export function completeSecrets(home: string, secrets: Secrets): Secrets {
  const { exchangeKeys, sharePepper, gateway, facilitatorKey, payerKey } = secrets
  if (exchangeKeys.length > 0 && sharePepper && gateway && facilitatorKey && payerKey) return secrets
  const complete = {
    ...secrets,
    exchangeKeys: exchangeKeys.length > 0 ? exchangeKeys : [createSealingKey()],
    sharePepper: sharePepper || password(),
    gateway: gateway || password(),
    facilitatorKey: facilitatorKey || walletKey(),
    payerKey: payerKey || walletKey(),
  }
  write(home, complete, 'w')
  return complete
}

/** Puts a new key-encryption key before the others: from the next start on it seals, and they still open. */
export function addExchangeKey(home: string, secrets: Secrets): Secrets {
  const extended = { ...secrets, exchangeKeys: [createSealingKey(), ...secrets.exchangeKeys] }
  write(home, extended, 'w')
  return extended
}

const password = () => randomBytes(24).toString('base64url')
const walletKey = () => `0x${randomBytes(32).toString('hex')}`

function write(home: string, secrets: Secrets, flag: 'w' | 'wx'): void {
  writeFileSync(fileOf(home), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag })
}
