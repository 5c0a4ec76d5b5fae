import type pg from 'pg'

export interface DefiWallet {
  walletId: string
  address: string
  networkId: string
}

/** Synced wallets whose mark is due, the oldest first. */
export async function markedWallets(pool: pg.Pool, { limit }: { limit: number }): Promise<DefiWallet[]> {
  const { rows } = await pool.query<DefiWallet>(
    `select wallet.id as "walletId", wallet.address, mark.network_id as "networkId"
     from defi_marks as mark
     join wallets as wallet on wallet.id = mark.wallet_id
     join networks as network on network.id = mark.network_id and network.active
     join wallet_syncs as sync on sync.wallet_id = mark.wallet_id and sync.network_id = mark.network_id
     where sync.synced_at is not null and mark.next_at <= clock_timestamp()
     order by mark.next_at, wallet.id, mark.network_id limit $1`,
    [limit],
  )
  return rows
}

/** Wallets with positions that were last read before `before`, the longest ago first. A failed read counts too. */
export async function holdersToSweep(
  pool: pg.Pool,
  input: { before: Date; limit: number },
): Promise<DefiWallet[]> {
  const { rows } = await pool.query<DefiWallet>(
    `select wallet.id as "walletId", wallet.address, holder.network_id as "networkId"
     from (select distinct wallet_id, network_id from defi_positions) as holder
     join wallets as wallet on wallet.id = holder.wallet_id
     join networks as network on network.id = holder.network_id and network.active
     left join defi_reads as read using (wallet_id, network_id)
     cross join lateral (select greatest(read.fetched_at, read.failed_at) as at) as tried
     where (tried.at is null or tried.at < $1)
       and not exists (select from defi_marks where wallet_id = holder.wallet_id and network_id = holder.network_id)
     order by tried.at nulls first, wallet.id, holder.network_id limit $2`,
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
