import { sql, type RawBuilder } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { CostMethod } from '../values/cost-methods.ts'

interface Common {
  id: string
  accountId: string
  /** Name given by the owner; null: none. */
  name: string | null
  costMethod: CostMethod
  /** Last sync of the wallet or exchange account; null: never, or a manual portfolio. */
  syncedAt: Date | null
  /** Time up to which its data is complete; null: never synced, or a manual portfolio. */
  asOf: Date | null
  /** Whether a requested sync or new data is not in its figures yet. */
  pending: boolean
}

/** A wallet on a network, an exchange account, or a manual portfolio. */
export type Portfolio = Common &
  (
    | {
        kind: 'wallet'
        address: string
        networkId: string
        networkName: string
        networkIcon: string
        /** Null: nothing was read yet. */
        walletId: string | null
      }
    /** Its id equals that of its connection. */
    | { kind: 'exchange'; venue: string }
    | { kind: 'manual' }
  )

const select = (where: RawBuilder<unknown>) => sql<Portfolio>`
  select p.id, p.account_id as "accountId", p.kind, p.name, p.cost_method as "costMethod",
    p.address, p.network_id as "networkId", network.name as "networkName", network.icon as "networkIcon",
    wallet.id as "walletId", connection.venue,
    coalesce(sync.synced_at, connection.synced_at) as "syncedAt",
    coalesce(sync.synced_at, connection.covered_to) as "asOf",
    case p.kind
      when 'wallet' then coalesce((
        select max(requested_at) from sync_requests where workflow_id = 'sync:' || p.address || ':' || p.network_id
      ) > coalesce(sync.synced_at, '-infinity'), false)
      when 'exchange' then coalesce((
        select max(requested_at) from exchange_sync_requests where workflow_id = 'exchange:' || p.id
      ) > coalesce(connection.synced_at, '-infinity'), false)
      else exists (select from manual_transactions where portfolio_id = p.id and not derived) or exists (
        select from books join pl_states on book_id = books.id
        where books.portfolio_id = p.id and (dirty_from is not null or computed_to is null))
      end as pending
  from portfolios as p
  left join networks as network on network.id = p.network_id
  left join wallets as wallet on wallet.address = p.address
  left join wallet_syncs as sync on sync.wallet_id = wallet.id and sync.network_id = p.network_id
  left join exchange_connections as connection on connection.id = p.id
  where ${where}
  order by p.created_at, p.id`

/** Every portfolio of an account, the oldest first. */
export const readPortfolios = (db: ReadonlyDb, key: { accountId: string }): Promise<Portfolio[]> =>
  readSql(db, select(sql`p.account_id = ${key.accountId}`))

/** A portfolio of the account; undefined if it does not exist or belongs to another account. */
export async function readPortfolio(
  db: ReadonlyDb,
  key: { accountId: string; portfolioId: string },
): Promise<Portfolio | undefined> {
  const rows = await readSql(db, select(sql`p.id = ${key.portfolioId} and p.account_id = ${key.accountId}`))
  return rows[0]
}
