import type pg from 'pg'

/** Coin ids of tokens in positions of wallets without list entry and without price, except spam. */
export async function unpricedCoins(
  pool: pg.Pool,
  input: { networkId: string; walletIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await pool.query<{ coin_id: string }>(
    `select distinct token.coin_id
     from defi_assets as asset
     join tokens as token on token.network_id = asset.network_id and token.address = asset.token_address
     join networks as network on network.id = asset.network_id
     where asset.network_id = $1 and asset.wallet_id = any($2) and token.spam_reason is null
       and not exists (select from coin_contracts
         where blockchain = network.blockchain and address = asset.token_address)
       and not exists (select from coin_quotes where coin_id = token.coin_id)
     order by token.coin_id`,
    [input.networkId, input.walletIds],
  )
  return rows.map((row) => row.coin_id)
}
