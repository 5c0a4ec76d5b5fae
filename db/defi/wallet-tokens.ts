import type pg from 'pg'

/** The token contracts of which wallets have a stored balance, spam excepted, by wallet. */
export async function walletTokens(
  pool: pg.Pool,
  input: { networkId: string; walletIds: readonly string[] },
): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ wallet_id: string; tokens: string[] }>(
    `select balance.wallet_id, array_agg(balance.token_address order by balance.token_address) as tokens
     from balances as balance
     left join tokens as token
       on token.network_id = balance.network_id and token.address = balance.token_address
     where balance.network_id = $1 and balance.wallet_id = any($2) and balance.token_address is not null
       and balance.raw > 0 and token.spam_reason is null
     group by balance.wallet_id`,
    [input.networkId, input.walletIds],
  )
  return new Map(rows.map((row) => [row.wallet_id, row.tokens]))
}
