import type pg from 'pg'
import { hashSession } from './sessions.ts'

// Role `account` may execute these functions but reads no table.

export interface AccountProfile {
  accountId: string
  name: string
  /** Whether the account may share portfolios. */
  degen: boolean
}

/** Reads the user of a session and the linked account (null: none). null: the session has ended. */
export async function readVisitor(
  pool: pg.Pool,
  { issuer, session }: { issuer: string; session: string },
): Promise<{ subject: string; account: AccountProfile | null } | null> {
  const { rows } = await pool.query<
    { subject: string; accountId: string | null } & Omit<AccountProfile, 'accountId'>
  >('select subject, account_id as "accountId", name, degen from account_of($1, $2)', [
    hashSession(session),
    issuer,
  ])
  const [row] = rows
  if (!row) return null
  const { subject, accountId, name, degen } = row
  return { subject, account: accountId === null ? null : { accountId, name, degen } }
}

/** Calls and credits of one endpoint on one day. */
export interface UsageDay {
  /** YYYY-MM-DD, UTC. */
  day: string
  /** For example `GET /coins`. */
  endpoint: string
  calls: number
  credits: number
}

/** Reads usage from the day `since` on, in order of day. */
export async function readUsage(
  pool: pg.Pool,
  { accountId, since }: { accountId: string; since: string },
): Promise<UsageDay[]> {
  const { rows } = await pool.query<UsageDay>(
    `select day::text, endpoint, calls::float8 as calls, credits::float8 as credits from usage_by_day($1, $2::date)`,
    [accountId, since],
  )
  return rows
}
