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

/**
 * Wallets with positions that were last read before `before`, the longest ago first; on Solana, where stake grows once
 * in two days and lists of accounts are dear, 55 minutes before that. A failed read counts too.
 */
export async function holdersToSweep(
  pool: pg.Pool,
  input: { before: Date; limit: number },
): Promise<DefiWallet[]> {
  const { rows } = await pool.query<DefiWallet>(
    `select wallet.id as "walletId", wallet.address, read.network_id as "networkId"
     from defi_reads as read
     join wallets as wallet on wallet.id = read.wallet_id
     join networks as network on network.id = read.network_id and network.active
     where read.is_holder and greatest(read.fetched_at, read.failed_at)
         < $1::timestamptz - case network.kind when 'solana' then interval '55 minutes' else interval '0' end
       and not exists (select from defi_marks where wallet_id = read.wallet_id and network_id = read.network_id)
     order by greatest(read.fetched_at, read.failed_at), read.wallet_id, read.network_id limit $2`,
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
