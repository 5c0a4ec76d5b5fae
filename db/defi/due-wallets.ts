import type pg from 'pg'

export interface DefiWallet {
  walletId: string
  address: string
  networkId: string
}

/**
 * Synced wallets whose positions were last read before `before`, or before the last sync. A followed wallet
 * without positions is due again only if the read failed or a transaction came. Wallets that were never read come
 * first. A failed read counts like a successful one.
 */
export async function dueDefiWallets(
  pool: pg.Pool,
  input: { before: Date; limit: number },
): Promise<DefiWallet[]> {
  const { rows } = await pool.query<DefiWallet>(
    `select wallet.id as "walletId", wallet.address, sync.network_id as "networkId"
     from wallet_syncs as sync
     join wallets as wallet on wallet.id = sync.wallet_id
     join wallet_coverage as coverage on coverage.wallet_id = sync.wallet_id and coverage.network_id = sync.network_id
     join networks as network on network.id = sync.network_id and network.active
     left join defi_reads as read on read.wallet_id = sync.wallet_id and read.network_id = sync.network_id
     cross join lateral (select greatest(read.fetched_at, read.failed_at) as at) as tried
     where sync.synced_at is not null
       and exists (select from defi_deployments where network_id = sync.network_id)
       and (tried.at is null or tried.at < sync.synced_at
         or tried.at < $1 and (not coverage.followed or read.failure is not null or exists (
           select from defi_positions where wallet_id = sync.wallet_id and network_id = sync.network_id))
         or coverage.followed and tried.at < (
           select fetched_at from wallet_transactions where wallet_id = sync.wallet_id and network_id = sync.network_id
           order by at desc, tx_index desc, hash desc limit 1))
     order by tried.at nulls first, sync.synced_at, sync.wallet_id, sync.network_id limit $2`,
    [input.before, input.limit],
  )
  return rows
}

/** Whether a protocol is read on the network. */
export async function hasProtocols(pool: pg.Pool, networkId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from defi_deployments where network_id = $1 limit 1', [
    networkId,
  ])
  return rowCount === 1
}
