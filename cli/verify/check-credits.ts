import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { type Check, MOST_DIFFERENCES } from './check.ts'

interface Row {
  account_id: string
  n: number
  posted: string
  ledger: string
}

/** Checks that the credits spent per account and period equal its ledger: charges less refunds. */
export async function checkCredits(db: Db): Promise<Check> {
  const { rows } = await sql<{
    compared: number
  }>`select count(*)::int as compared from credit_periods`.execute(db)
  const { rows: wrong } = await sql<Row>`
    select p.account_id, p.n, p.posted, coalesce(l.credits, 0) as ledger
    from credit_periods p left join (
      select account_id, n, sum(credits) as credits from ledger_entries group by account_id, n
    ) l using (account_id, n)
    where p.posted <> coalesce(l.credits, 0) order by p.account_id, p.n limit ${MOST_DIFFERENCES}`.execute(db)
  const lineOf = ({ account_id, n, posted, ledger }: Row) =>
    `account ${account_id}, period ${n}: ${posted} credits posted, ${ledger} in the ledger`
  return { check: 'credits = ledger', compared: rows[0]!.compared, behind: 0, differences: wrong.map(lineOf) }
}
