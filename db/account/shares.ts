import type pg from 'pg'
import { createShareToken, hashShareToken, keyPasscode } from '../values/share-token.ts'
import { uuidV7 } from '../values/uuid-v7.ts'

// Role `account` may execute these functions but reads no table.

export interface AccountShare {
  id: string
  portfolioId: string
  /** Whether the link needs a passcode. */
  passcode: boolean
  /** Locked after too many wrong passcodes. */
  locked: boolean
  createdAt: Date
}

/** Lists links that are not revoked, newest first. */
export async function listShares(pool: pg.Pool, accountId: string): Promise<AccountShare[]> {
  const { rows } = await pool.query<AccountShare>(
    `select id, portfolio_id as "portfolioId", passcode, locked, created_at as "createdAt" from account_shares($1)`,
    [accountId],
  )
  return rows
}

/**
 * Creates a link and returns its token, which is not stored. null: no such portfolio, no Degen, or too many
 * links.
 */
export async function createShare(
  pool: pg.Pool,
  share: {
    accountId: string
    portfolioId: string
    passcode: { digits: string; pepper: string } | null
    now: Date
  },
): Promise<string | null> {
  const { accountId, portfolioId, passcode, now } = share
  const token = createShareToken()
  const keyed = passcode && keyPasscode({ passcode: passcode.digits, pepper: passcode.pepper })
  const { rows } = await pool.query<{ done: boolean }>(
    'select create_account_share($1, $2, $3, $4, $5) as done',
    [accountId, portfolioId, uuidV7(now.getTime()), hashShareToken(token), keyed],
  )
  return rows[0]!.done ? token : null
}

/**
 * Replaces the token and returns the new one; the old one stops working. null: the account has no such link.
 */
export async function rotateShare(
  pool: pg.Pool,
  { accountId, shareId }: { accountId: string; shareId: string },
): Promise<string | null> {
  const token = createShareToken()
  const { rows } = await pool.query<{ done: boolean }>('select rotate_account_share($1, $2, $3) as done', [
    accountId,
    shareId,
    hashShareToken(token),
  ])
  return rows[0]!.done ? token : null
}

/** False: the account has no such link. */
export async function revokeShare(
  pool: pg.Pool,
  { accountId, shareId }: { accountId: string; shareId: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ done: boolean }>('select revoke_account_share($1, $2) as done', [
    accountId,
    shareId,
  ])
  return rows[0]!.done
}
