import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { Db } from '../schema.ts'

export interface TailedEvent {
  seq: string
  accountId: string
  type: string
  at: Date
  address: string | null
  body: string
}

/** Events after a number, or (null) the newest ones; of one account, or (null) of all. In their order. */
export async function tailEvents(
  db: Db,
  query: { accountId: string | null; after: string | null; limit: number },
): Promise<TailedEvent[]> {
  const { accountId, after, limit } = query
  const order = after === null ? sql`desc` : sql`asc`
  return readSql(
    db,
    sql<TailedEvent>`
      select event.seq, event.account_id as "accountId", event.type, event.created_at as at, wallet.address, event.body
      from (
        select * from account_events
        where seq > ${after ?? '0'} and (${accountId}::uuid is null or account_id = ${accountId})
        order by seq ${order} limit ${limit}
      ) as event left join wallets as wallet on wallet.id = event.wallet_id
      order by event.seq`,
  )
}
