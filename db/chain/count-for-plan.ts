import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Wallets of a network, as far as the requests for them depend on it. */
export interface PlanWallets {
  networkId: string
  wallets: number
  /** Wallets whose history was never complete. */
  unread: number
  /** Parts of wallets that are read separately: token accounts, and addresses of extended keys. */
  accounts: number
  /** Extended keys that were read. */
  keys: number
}

/** Counts the wallets of each network that has some. */
export async function countForPlan(db: Db): Promise<PlanWallets[]> {
  const { rows } = await sql<PlanWallets>`
    select sync.network_id as "networkId", count(*)::int as wallets,
      count(*) filter (where sync.synced_at is null)::int as unread,
      coalesce(sum(parts.accounts), 0)::int as accounts,
      count(*) filter (where parts.derived > 0)::int as keys
    from wallet_syncs as sync
    join networks as network on network.id = sync.network_id and network.active
    cross join lateral (
      select count(*)::int as accounts, count(*) filter (where one.role = 'address')::int as derived
      from wallet_accounts as one
      where one.wallet_id = sync.wallet_id and one.network_id = sync.network_id
    ) as parts
    group by sync.network_id order by sync.network_id`.execute(db)
  return rows
}
