import type pg from 'pg'

export interface WalletToCheck {
  walletId: string
  address: string
  /** block up to which its history is stored */
  cursor: number
  /** the token accounts were listed within a day */
  isListed: boolean
  accounts: CheckedAccount[]
  /** when this was read, by the clock of the database */
  readAt: Date
}

interface CheckedAccount {
  account: string
  /** its balances at the last check; null: none yet */
  seen: string | null
  /** block in which they were first seen so */
  seenBlock: number
}

/**
 * Synced wallets of a network whose data is too old, by id after `after`, with their accounts. Wallets that need
 * a sync for another reason than their age are not among them.
 */
export async function walletsToCheck(
  pool: pg.Pool,
  input: { networkId: string; olderThanSeconds: number; formatVersion: number; after: string; limit: number },
): Promise<WalletToCheck[]> {
  const { rows } = await pool.query<{
    wallet_id: string
    address: string
    cursor_block: string
    is_listed: boolean
    accounts: CheckedAccount[]
    read_at: Date
  }>(
    `select sync.wallet_id, wallet.address, sync.cursor_block,
       coalesce(bool_or(known.listed_at > now() - interval '1 day'), false) as is_listed,
       jsonb_agg(jsonb_build_object('account', known.account, 'seen', known.seen,
         'seenBlock', coalesce(known.seen_block, -1)) order by known.account) as accounts,
       now() as read_at
     from wallet_syncs as sync
     join wallets as wallet on wallet.id = sync.wallet_id
     join wallet_accounts as known on known.wallet_id = sync.wallet_id and known.network_id = sync.network_id
     where sync.network_id = $1 and sync.wallet_id > $4
       and greatest(sync.synced_at, sync.failed_at) < now() - $2 * interval '1 second'
       and sync.gap_from is null and sync.normalised_block >= sync.cursor_block and sync.format_version >= $3
     group by sync.wallet_id, wallet.address, sync.cursor_block
     order by sync.wallet_id limit $5`,
    [input.networkId, input.olderThanSeconds, input.formatVersion, input.after, input.limit],
  )
  return rows.map((row) => ({
    walletId: row.wallet_id,
    address: row.address,
    cursor: Number(row.cursor_block),
    isListed: row.is_listed,
    accounts: row.accounts,
    readAt: row.read_at,
  }))
}

/**
 * Stores what a check saw that was otherwise before, and that the wallets in `quietIds` are as they were at
 * `checkedAt`. Needs an open transaction.
 */
export async function noteChecks(
  client: pg.ClientBase,
  input: {
    networkId: string
    checkedAt: Date
    quietIds: readonly string[]
    listedIds: readonly string[]
    changed: readonly { walletId: string; account: string; seen: string; seenBlock: number }[]
  },
): Promise<void> {
  const { networkId, checkedAt, changed } = input
  if (changed.length > 0)
    await client.query(
      `update wallet_accounts as known set seen = read.seen, seen_block = read.seen_block
       from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as read (wallet_id, account, seen, seen_block)
       where known.network_id = $1 and known.wallet_id = read.wallet_id and known.account = read.account`,
      [
        networkId,
        changed.map(({ walletId }) => walletId),
        changed.map(({ account }) => account),
        changed.map(({ seen }) => seen),
        changed.map(({ seenBlock }) => seenBlock),
      ],
    )
  if (input.listedIds.length > 0)
    await client.query(
      `update wallet_accounts set listed_at = $3
       where network_id = $1 and wallet_id = any($2) and role = 'wallet'`,
      [networkId, input.listedIds, checkedAt],
    )
  if (input.quietIds.length > 0)
    await client.query(
      `update wallet_syncs as sync set synced_at = $3
       from (
         select wallet_id from wallet_syncs where network_id = $1 and wallet_id = any($2) and synced_at < $3
         order by wallet_id for update
       ) as quiet
       where sync.network_id = $1 and sync.wallet_id = quiet.wallet_id`,
      [networkId, input.quietIds, checkedAt],
    )
}
