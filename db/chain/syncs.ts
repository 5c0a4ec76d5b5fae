import type pg from 'pg'

interface SyncKey {
  address: string
  networkId: string
}

/** Makes the wallet and its sync known, notes the head that this sync has to reach; returns the wallet's id. */
export async function startSync(
  pool: pg.Pool,
  input: SyncKey & { headBlock: number },
): Promise<{ walletId: string; synced: boolean }> {
  const { rows } = await pool.query<{ id: string }>(
    `with made as (insert into wallets (address) values ($1) on conflict do nothing returning id)
     select id from made union all select id from wallets where address = $1 limit 1`,
    [input.address],
  )
  const walletId = rows[0]!.id
  const sync = await pool.query<{ synced: boolean }>(
    `insert into wallet_syncs (wallet_id, network_id, head_block) values ($1, $2, $3)
     on conflict (wallet_id, network_id) do update set head_block = excluded.head_block
     returning synced_at is not null as synced`,
    [walletId, input.networkId, input.headBlock],
  )
  return { walletId, synced: sync.rows[0]!.synced }
}

/** Marks a sync as done, but only when its rows reach the head that it started with. */
export async function completeSync(
  pool: pg.Pool,
  input: { walletId: string; networkId: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update wallet_syncs set synced_at = $3, failed_at = null, failure = null
     where wallet_id = $1 and network_id = $2 and cursor_block >= head_block and normalised_block >= head_block`,
    [input.walletId, input.networkId, input.at],
  )
  return rowCount === 1
}

export async function failSync(pool: pg.Pool, input: SyncKey & { at: Date; failure: string }): Promise<void> {
  await pool.query(
    `with wallet as (
       insert into wallets (address) values ($1) on conflict (address) do update set address = excluded.address
       returning id
     )
     insert into wallet_syncs (wallet_id, network_id, failed_at, failure) select id, $2, $3, $4 from wallet
     on conflict (wallet_id, network_id) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
    [input.address, input.networkId, input.at, input.failure],
  )
}

/** Coins that a wallet's transfers are about and the instants they span; null while there are none. */
export async function coinsToPrice(
  pool: pg.Pool,
  input: { networkId: string; address: string },
): Promise<{ coinIds: string[]; from: Date } | null> {
  const { rows } = await pool.query<{ coin_ids: string[] | null; first_at: Date | null }>(
    `with touched as (
       select token_address, at from transfers where network_id = $1 and from_address = $2 and kind <> 'approval'
       union all select token_address, at from transfers where network_id = $1 and to_address = $2
       union all select null, at from transactions where network_id = $1 and from_address = $2
     )
     select (select min(at) from touched) as first_at, array(
       select coin_id from networks where id = $1
       union select coin_id from tokens
       where network_id = $1 and address in (select token_address from touched)
         and (spam_reason is null or spam_reason = 'multisend')
       order by 1
     ) as coin_ids`,
    [input.networkId, input.address],
  )
  const { coin_ids: coinIds, first_at: from } = rows[0]!
  return coinIds && from ? { coinIds, from } : null
}

/** Wallets whose last sync is older than it should be, the oldest first. A failed one waits as long as a synced one. */
export async function dueSyncs(
  pool: pg.Pool,
  input: { before: Date; limit: number },
): Promise<{ address: string; networkId: string }[]> {
  const { rows } = await pool.query<{ address: string; network_id: string }>(
    `select wallet.address, sync.network_id from wallet_syncs as sync
     join wallets as wallet on wallet.id = sync.wallet_id
     join networks as network on network.id = sync.network_id and network.active
     where greatest(coalesce(sync.synced_at, '-infinity'), coalesce(sync.failed_at, '-infinity')) < $1
     order by greatest(coalesce(sync.synced_at, '-infinity'), coalesce(sync.failed_at, '-infinity'))
     limit $2`,
    [input.before, input.limit],
  )
  return rows.map((row) => ({ address: row.address, networkId: row.network_id }))
}

/** Notes which networks have a node. */
export async function activateNetworks(
  pool: pg.Pool,
  input: { networkIds: readonly string[] },
): Promise<void> {
  await pool.query('update networks set active = (id = any($1)) where active <> (id = any($1))', [
    input.networkIds,
  ])
}
