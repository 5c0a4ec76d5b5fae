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
         through_block = greatest(known.through_block, excluded.through_block)`,
    [networkId, ...columnsOf(touches)],
  )
}

/**
 * Has the wallets derived again from the first touched block on, if they are derived beyond it: what a sync of
 * theirs reads later finds these rows stored already.
 */
export async function deriveAgain(
  client: pg.ClientBase,
  { networkId, touches }: { networkId: string; touches: readonly Touch[] },
): Promise<void> {
  const [walletIds, fromBlocks] = columnsOf(touches)
  await client.query(
    `update wallet_syncs as sync set normalised_block = late.from_block - 1
     from (
       select wallet_syncs.wallet_id, from_block from wallet_syncs
         join unnest($2::bigint[], $3::bigint[]) as touched (wallet_id, from_block)
           on touched.wallet_id = wallet_syncs.wallet_id
       where network_id = $1 and normalised_block >= from_block
       order by wallet_syncs.wallet_id for update of wallet_syncs
     ) as late
     where sync.network_id = $1 and sync.wallet_id = late.wallet_id`,
    [networkId, walletIds, fromBlocks],
  )
}

function columnsOf(touches: readonly Touch[]): [string[], number[], number[]] {
  return [
    touches.map(({ walletId }) => walletId),
    touches.map(({ fromBlock }) => fromBlock),
    touches.map(({ throughBlock }) => throughBlock),
  ]
}
