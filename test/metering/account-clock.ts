import { query } from '../setup/query.ts'

/**
 * Lets time pass for one account by making all its rows older; the clock of the database stays as it is. The
 * open period then gets the length that the calendar gives it.
 */
export async function passTime(url: string, account: { accountId: string; ms: number }): Promise<void> {
  const { accountId, ms } = account
  await query(
    url,
    `with step as (select make_interval(secs => $2::float8 / 1000) as s),
     a as (update accounts set anchor_at = anchor_at - s, created_at = created_at - s from step where id = $1),
     p as (update credit_periods c set starts_at = period_start(t.anchor_at - s, c.n),
         ends_at = period_start(t.anchor_at - s, c.n + 1),
         fresh_until = case when c.fresh_until = c.ends_at then period_start(t.anchor_at - s, c.n + 1)
           else least(c.fresh_until - s, period_start(t.anchor_at - s, c.n + 1)) end
       from step, accounts t where t.id = $1 and c.account_id = $1 and c.is_open)
     update credit_grants set expires_at = expires_at - s, created_at = created_at - s from step where account_id = $1`,
    [accountId, ms],
  )
}

/** One period of an account beside the sum of its ledger. */
export interface Books {
  n: number
  granted: string
  posted: string
  /** charges less refunds */
  ledger: string
}

export const booksOf = (url: string, accountId: string): Promise<Books[]> =>
  query<Books>(
    url,
    `select p.n, p.granted, p.posted,
       coalesce(sum(case kind when 'refund' then -l.credits else l.credits end), 0) as ledger
     from credit_periods p left join ledger_entries l using (account_id, n)
     where p.account_id = $1 group by p.account_id, p.n order by p.n`,
    [accountId],
  )
