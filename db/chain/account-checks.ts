import type pg from 'pg'

export interface WalletToCheck {
  walletId: string
  address: string
  /** block up to which its history is stored */
  cursor: number
  /** the token accounts were listed within a day */
  isListed: boolean
  accounts: CheckedAccount[]
}

interface CheckedAccount {
  account: string
  /** its balances at the last check; null: none yet */
  seen: string | null
  /** block in which they were first seen so */
  seenBlock: number
}

/** The wallets of a network with ids from `first` on, and before `next`; null: all others. */
export interface Span {
  first: string
  next: string | null
  /** when its check began, by the clock of the database */
  at: Date
}

/** The span of a network that was checked longest ago, if that is too long; null: all were checked since then. */
export async function dueSpan(
  pool: pg.Pool,
  { networkId, olderThanSeconds }: { networkId: string; olderThanSeconds: number },
): Promise<Span | null> {
  // The first check of a network.
  await pool.query(
    `insert into account_checks (network_id, first_wallet) select $1, 0
     where not exists (select from account_checks where network_id = $1) on conflict do nothing`,
    [networkId],
  )
  const { rows } = await pool.query<Span>(
    `select first_wallet as first, (
       select min(first_wallet) from account_checks where network_id = $1 and first_wallet > span.first_wallet
     ) as next, now() as at
     from account_checks as span
     where network_id = $1 and (checked_at is null or checked_at < now() - $2 * interval '1 second')
     order by checked_at nulls first, first_wallet limit 1`,
    [networkId, olderThanSeconds],
  )
  return rows[0] ?? null
}

/** The synced wallets of a span, with their accounts, by id; at most `limit`. */
export async function walletsToCheck(
  pool: pg.Pool,
  { networkId, span, limit }: { networkId: string; span: Span; limit: number },
): Promise<WalletToCheck[]> {
  const { rows } = await pool.query<{
    wallet_id: string
    address: string
    cursor_block: string
    is_listed: boolean
    accounts: CheckedAccount[]
  }>(
    `select sync.wallet_id, wallet.address, sync.cursor_block,
       coalesce(bool_or(known.listed_at > now() - interval '1 day'), false) as is_listed,
       jsonb_agg(jsonb_build_object('account', known.account, 'seen', known.seen,
         'seenBlock', coalesce(known.seen_block, -1)) order by known.account) as accounts
     from wallet_syncs as sync
     join wallets as wallet on wallet.id = sync.wallet_id
     join wallet_accounts as known on known.wallet_id = sync.wallet_id and known.network_id = sync.network_id
     where sync.network_id = $1 and sync.synced_at is not null
       and sync.wallet_id >= $2 and ($3::bigint is null or sync.wallet_id < $3)
     group by sync.wallet_id, wallet.address, sync.cursor_block
     order by sync.wallet_id limit $4`,
    [networkId, span.first, span.next, limit],
  )
  return rows.map((row) => ({
    walletId: row.wallet_id,
    address: row.address,
    cursor: Number(row.cursor_block),
    isListed: row.is_listed,
    accounts: row.accounts,
  }))
}

/** Divides a span before a wallet. Both parts were last checked when the whole was. */
export async function divideSpan(
  pool: pg.Pool,
  { networkId, span, before }: { networkId: string; span: Span; before: string },
): Promise<void> {
  await pool.query(
    `insert into account_checks (network_id, first_wallet, checked_at)
     select network_id, $3, checked_at from account_checks where network_id = $1 and first_wallet = $2
     on conflict do nothing`,
    [networkId, span.first, before],
  )
}

/**
 * Stores that a span is as it was when its check began, but for what a check saw that was otherwise before. Nothing is
 * written for the other wallets. Needs an open transaction.
 */
export async function noteChecks(
  client: pg.ClientBase,
  input: {
    networkId: string
    span: Span
    listedIds: readonly string[]
    changed: readonly { walletId: string; account: string; seen: string; seenBlock: number }[]
  },
): Promise<void> {
  const { networkId, span, changed, listedIds } = input
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
  if (listedIds.length > 0)
    await client.query(
      `update wallet_accounts set listed_at = $3
       where network_id = $1 and wallet_id = any($2) and role = 'wallet'`,
      [networkId, listedIds, span.at],
    )
  await client.query(
    'update account_checks set checked_at = $3 where network_id = $1 and first_wallet = $2',
    [networkId, span.first, span.at],
  )
}
