import type pg from 'pg'

export interface Touch {
  walletId: string
  fromBlock: number
  throughBlock: number
}

/** Marks wallets that blocks of the follower name. Needs an open transaction. */
export async function markTouched(
  client: pg.ClientBase,
  { networkId, touches }: { networkId: string; touches: readonly Touch[] },
): Promise<void> {
  if (touches.length === 0) return
  await client.query(
    `insert into touched_wallets as known (network_id, wallet_id, from_block, through_block, reason)
     select $1, wallet_id, from_block, through_block, 'block'
     from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as touched (wallet_id, from_block, through_block)
     order by wallet_id
     on conflict (network_id, wallet_id) do update
       set from_block = least(known.from_block, excluded.from_block),
         through_block = greatest(known.through_block, excluded.through_block),
         -- A mark that waits for blocks, or for an explorer, waits no more.
         next_at = case when known.next_at <> 'infinity' and known.reason <> 'unexplained' then known.next_at end,
         marked_at = case when known.from_block > known.through_block then clock_timestamp()
           else least(known.marked_at, clock_timestamp()) end`,
    [
      networkId,
      touches.map(({ walletId }) => walletId),
      touches.map(({ fromBlock }) => fromBlock),
      touches.map(({ throughBlock }) => throughBlock),
    ],
  )
}

/**
 * Has the balances of those of the wallets compared with the chain that are followed, and whose balances were
 * not for five minutes: a contract can move native coins without naming the wallet in the block. Returns how
 * many.
 */
export async function markToVerify(
  pool: pg.Pool,
  wallets: readonly { address: string; networkId: string }[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `with due as (
       select wallet.id as wallet_id, coverage.network_id, follow.cursor_block
       from unnest($1::text[], $2::text[]) as asked (address, network_id)
       join wallets as wallet on wallet.address = asked.address
       join wallet_coverage as coverage on coverage.wallet_id = wallet.id and coverage.network_id = asked.network_id
       join network_follows as follow on follow.network_id = asked.network_id
       -- Nothing moves on Bitcoin that names no wallet.
       join networks as network on network.id = asked.network_id and network.kind = 'evm'
       where coverage.followed and coverage.verified_at < clock_timestamp() - interval '5 minutes'
     ), marked as (
       insert into touched_wallets as known (network_id, wallet_id, from_block, through_block, reason)
       select network_id, wallet_id, cursor_block, cursor_block, 'verify' from due order by network_id, wallet_id
       on conflict (network_id, wallet_id) do update set reason = 'verify' where known.reason = 'block'
     ) update wallet_syncs as sync set balances_at = clock_timestamp()
       from due where sync.wallet_id = due.wallet_id and sync.network_id = due.network_id`,
    [wallets.map(({ address }) => address), wallets.map(({ networkId }) => networkId)],
  )
  return rowCount ?? 0
}

/** Has the balances of wallets compared with the chain whose native coins differ. Needs an open transaction. */
export async function markDiffering(
  client: pg.ClientBase,
  { networkId, walletIds, block }: { networkId: string; walletIds: readonly string[]; block: number },
): Promise<void> {
  await client.query(
    `insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason)
     select $1, wallet_id, $3, $3, 'verify' from unnest($2::bigint[]) as differing (wallet_id) order by wallet_id
     on conflict do nothing`,
    [networkId, walletIds, block],
  )
}

/**
 * Has whoever can explain the native coins of a followed wallet asked once more after a wait. Nothing for one that no
 * follower covers: its next sync asks. Needs an open transaction.
 */
export async function markToAskAgain(
  client: pg.ClientBase,
  input: Touch & { networkId: string; waitMs: number },
): Promise<void> {
  const { networkId, walletId, fromBlock, throughBlock, waitMs } = input
  await client.query(
    `insert into touched_wallets as known
       (network_id, wallet_id, from_block, through_block, reason, next_at, marked_at)
     select network_id, wallet_id, $3, $4, 'unexplained', waited.at, waited.at
     from wallet_syncs join network_follows using (network_id),
       (select clock_timestamp() + $5 * interval '1 millisecond' as at) as waited
     where network_id = $1 and wallet_id = $2 and covered_from is not null and mode <> 'off'
     on conflict (network_id, wallet_id) do update
       set from_block = least(known.from_block, excluded.from_block),
         through_block = greatest(known.through_block, excluded.through_block), reason = 'unexplained'`,
    [networkId, walletId, fromBlock, throughBlock, waitMs],
  )
}
