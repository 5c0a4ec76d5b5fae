import type pg from 'pg'

export interface WalletTokens {
  walletId: string
  /** contracts of tokens that came to the wallet, spam excepted */
  received: string[]
  /** those of which it has a balance */
  held: string[]
  /** those of which it has exactly one, and which are indivisible */
  nfts: string[]
}

/** The tokens of wallets by their stored balances. A wallet without any is missing. */
export async function walletTokens(
  pool: pg.Pool,
  input: { networkId: string; walletIds: readonly string[] },
): Promise<Map<string, WalletTokens>> {
  const { rows } = await pool.query<WalletTokens>(
    `select balance.wallet_id as "walletId", array_agg(balance.token_address order by balance.token_address) as received,
       coalesce(array_agg(balance.token_address order by balance.token_address) filter (where balance.raw > 0), '{}') as held,
       coalesce(array_agg(balance.token_address order by balance.token_address)
         filter (where balance.raw = 1 and token.decimals = 0), '{}') as nfts
     from balances as balance
     left join tokens as token
       on token.network_id = balance.network_id and token.address = balance.token_address
     where balance.network_id = $1 and balance.wallet_id = any($2) and balance.token_address is not null
       and token.spam_reason is null
     group by balance.wallet_id`,
    [input.networkId, input.walletIds],
  )
  return new Map(rows.map((row) => [row.walletId, row]))
}
