import type pg from 'pg'
import type { Mark } from './marks.ts'

/**
 * A part of the wallets of a network that a follower by blocks covers, whose history is complete and to which nothing
 * has happened: by ids, so that a part reads its own rows only.
 */
export async function quietWallets(
  pool: pg.Pool,
  { networkId, part, parts }: { networkId: string; part: number; parts: number },
): Promise<Pick<Mark, 'walletId' | 'addresses' | 'reason'>[]> {
  const { rows } = await pool.query<{ wallet_id: string; address: string }>({
    name: 'quiet_wallets',
    text: `with bounds as (
        select (max(id) / $3 + 1) * $2 as first, (max(id) / $3 + 1) * ($2 + 1) as next from wallets
        where exists (select from network_follows where network_id = $1 and mode = 'blocks')
      ) select sync.wallet_id, wallet.address
      from bounds
      join wallet_syncs as sync on sync.wallet_id >= bounds.first and sync.wallet_id < bounds.next
      join wallets as wallet on wallet.id = sync.wallet_id
      where sync.network_id = $1 and sync.synced_at is not null
        and least(sync.cursor_block, sync.normalised_block) >= sync.covered_from - 1
        and not exists (select from touched_wallets where network_id = $1 and wallet_id = sync.wallet_id)
      order by sync.wallet_id`,
    values: [networkId, part, parts],
  })
  return rows.map(({ wallet_id, address }) => ({
    walletId: wallet_id,
    addresses: [address],
    reason: 'block' as const,
  }))
}
