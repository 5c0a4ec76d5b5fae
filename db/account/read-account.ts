import type pg from 'pg'

// Role `account` may execute the functions below, and reads no table.

export interface AccountProfile {
  accountId: string
  name: string
  /** The subscription that sharing needs. */
  degen: boolean
}

/** The account of somebody who has signed in; null: nobody's. */
export async function readAccount(
  pool: pg.Pool,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<AccountProfile | null> {
  const { rows } = await pool.query<AccountProfile>(
    'select account_id as "accountId", name, degen from account_of($1, $2)',
    [issuer, subject],
  )
  return rows[0] ?? null
}

/** Credits that one endpoint took on one day. */
export interface UsageDay {
  /** YYYY-MM-DD, UTC. */
  day: string
  /** `GET /coins`. */
  endpoint: string
  calls: number
  credits: number
}

/** From a day on, in order. */
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
