import { hash } from 'node:crypto'
import type pg from 'pg'
import { sealSecret } from '../values/sealed-secret.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import type { Credentials } from '../values/exchanges.ts'

/** Where the API puts credentials: it can add to it and read nothing back. */
export interface Vault {
  /** Milliseconds a request waits for the worker to try the credentials at the exchange. */
  waitMs: number
  /**
   * Seals the credentials, stores them and has the worker try them. `known`: the connection that they are offered for
   * again. Null when another request for the same connection was first: look it up and offer anew.
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

/** `pool` connects as role `meter`, which may execute `connect_exchange` and can read none of what it stores. */
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

/** Tells a repeat of the same connection. Keys are long and random, and the account is in it: it reveals nothing. */
export function fingerprintOf(key: {
  accountId: string
  exchange: string
  credentials: Credentials
}): Buffer {
  return hash('sha256', JSON.stringify([key.accountId, key.exchange, key.credentials.apiKey]), 'buffer')
}
