import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/** What the nodes of one account have spent today for a network, in the units of the vendor. */
export interface NodeUsage {
  networkId: string
  account: string
  requestsToday: number
  unitsToday: number
  /** by the account for all networks */
  accountToday: number
  accountThisMonth: number
  /** null: none is known */
  allowance: { units: number; per: 'day' | 'month' } | null
}

type Row = Omit<NodeUsage, 'allowance'> & { allowance: number | null; per: 'day' | 'month' | null }

/** Reads what nodes have spent today, most requests first. Workers add to it about once a minute. */
export async function readNodeUsage(db: ReadonlyDb): Promise<NodeUsage[]> {
  const rows = await readSql(
    db,
    sql<Row>`
      select network_id as "networkId", account, requests_today as "requestsToday", units_today as "unitsToday",
        account_today as "accountToday", account_this_month as "accountThisMonth", allowance,
        allowance_per as per
      from operations.node_usage order by requests_today desc, network_id, account`,
  )
  return rows.map(({ allowance, per, ...row }) => ({
    ...row,
    allowance: allowance === null || per === null ? null : { units: allowance, per },
  }))
}
