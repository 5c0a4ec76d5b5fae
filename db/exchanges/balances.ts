import type pg from 'pg'

export interface AssetAmount {
  asset: string
  /** decimal text */
  amount: string
}

/** Replaces the stored balances; an asset that is not listed is deleted. Needs an open transaction. */
export async function storeBalances(
  client: pg.ClientBase,
  input: { connectionId: string; balances: readonly AssetAmount[]; source: string; fetchedAt: Date },
): Promise<void> {
  const { connectionId, balances, source, fetchedAt } = input
  const assets = balances.map(({ asset }) => asset)
  await client.query('delete from exchange_balances where connection_id = $1 and asset <> all($2::text[])', [
    connectionId,
    assets,
  ])
  await client.query(
    `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
     select $1, held.asset, held.amount, $4, $5 from unnest($2::text[], $3::numeric[]) as held (asset, amount)
     on conflict (connection_id, asset) do update
     set amount = excluded.amount, source = excluded.source, fetched_at = excluded.fetched_at`,
    [connectionId, assets, balances.map(({ amount }) => amount), source, fetchedAt],
  )
}

/** Every asset that the account holds or ever moved. */
export async function readEverHeld(pool: pg.Pool, connectionId: string): Promise<string[]> {
  const { rows } = await pool.query<{ asset: string }>(
    `select asset from exchange_balances where connection_id = $1
     union select asset from exchange_transactions where connection_id = $1
     union select quote_asset from exchange_transactions where connection_id = $1 and quote_asset is not null
     union select fee_asset from exchange_transactions where connection_id = $1 and fee_asset is not null`,
    [connectionId],
  )
  return rows.map(({ asset }) => asset)
}
