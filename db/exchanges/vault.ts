import { hash } from 'node:crypto'
import type pg from 'pg'
import { sealSecret } from '../values/sealed-secret.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import type { Credentials } from '../values/exchanges.ts'

/** Stores credentials for the API, which can add them but never read them back. */
export interface Vault {
  /** How long a request waits for the worker to try the credentials, in ms. */
  waitMs: number
  /**
   * Seals and stores the credentials and lets the worker try them. `known`: the existing connection. Returns
   * null when another request for the same connection was faster: read the connection and offer again.
   */
  offer: (input: {
    accountId: string
    exchange: string
    name: string | null
    credentials: Credentials
    known: { id: string; version: number } | undefined
    now: Date
  }) => Promise<{ connectionId: string; version: number } | null>
}

/** `pool` connects as role `meter`, which may execute `connect_exchange` but cannot read what it stores. */
export function createVault(options: { pool: pg.Pool; publicKey: string; waitMs?: number }): Vault {
  const { pool, publicKey, waitMs = 8_000 } = options
  return {
    waitMs,
    async offer({ accountId, exchange, name, credentials, known, now }) {
      const connectionId = known?.id ?? uuidV7(now.getTime())
      const version = (known?.version ?? 0) + 1
      const sealed = sealSecret({
        secret: JSON.stringify(credentials),
        context: { accountId, connectionId, version },
        publicKey,
      })
      const { rows } = await pool.query<{ stored: boolean }>({
        name: 'connect_exchange',
        text: 'select connect_exchange($1, $2, $3, $4, $5, $6, $7, $8, $9) as stored',
        values: [
          connectionId,
          accountId,
          exchange,
          name,
          fingerprintOf({ accountId, exchange, credentials }),
          version,
          sealed.keyId,
          sealed.wrappedKey,
          sealed.ciphertext,
        ],
      })
      return rows[0]?.stored ? { connectionId, version } : null
    },
  }
}

/**
 * Recognises the same connection. Reveals nothing, since keys are long and random and the account is
 * included.
 */
export function fingerprintOf(key: {
  accountId: string
  exchange: string
  credentials: Credentials
}): Buffer {
  return hash('sha256', JSON.stringify([key.accountId, key.exchange, key.credentials.apiKey]), 'buffer')
}
