import type pg from 'pg'
import { apiKeyPrefix, createApiKey, hashApiKey } from '../values/api-key.ts'

// Role `account` may execute these functions but reads no table.

/** Permissions and expiry of a key. */
export interface KeyLimits {
  name: string
  readOnly: boolean
  /** Tags and endpoints of the route table; null: all. */
  opens: string[] | null
  /** null: never expires. */
  expiresAt: Date | null
}

export interface AccountKey extends KeyLimits {
  prefix: string
  createdAt: Date
}

/** Lists keys that are not revoked, newest first. */
export async function listKeys(pool: pg.Pool, accountId: string): Promise<AccountKey[]> {
  const { rows } = await pool.query<AccountKey>(
    `select prefix, name, read_only as "readOnly", opens, created_at as "createdAt", expires_at as "expiresAt"
     from account_keys($1)`,
    [accountId],
  )
  return rows
}

/** Creates a key and returns its text, which is not stored. null: the account has too many keys. */
export async function createKey(
  pool: pg.Pool,
  { accountId, ...limits }: KeyLimits & { accountId: string },
): Promise<string | null> {
  const key = createApiKey()
  const { rows } = await pool.query<{ done: boolean }>(
    'select create_account_key($1, $2, $3, $4, $5, $6, $7) as done',
    [accountId, hashApiKey(key), apiKeyPrefix(key), ...valuesOf(limits)],
  )
  return rows[0]!.done ? key : null
}

/** False: the account has no such key. */
export async function changeKey(
  pool: pg.Pool,
  { accountId, prefix, ...limits }: KeyLimits & { accountId: string; prefix: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ done: boolean }>(
    'select change_account_key($1, $2, $3, $4, $5, $6) as done',
    [accountId, prefix, ...valuesOf(limits)],
  )
  return rows[0]!.done
}

/** False: the account has no such key. */
export async function revokeKey(
  pool: pg.Pool,
  { accountId, prefix }: { accountId: string; prefix: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ done: boolean }>('select revoke_account_key($1, $2) as done', [
    accountId,
    prefix,
  ])
  return rows[0]!.done
}

const valuesOf = ({ name, readOnly, opens, expiresAt }: KeyLimits) => [name, readOnly, opens, expiresAt]
