import type pg from 'pg'

/**
 * Ids of the NFTs of one contract that ever came to wallets, by wallet, each once and in order. They may have left since.
 * `contract`: lower case.
 */
export async function walletNfts(
  pool: pg.Pool,
  input: { networkId: string; walletIds: readonly string[]; contract: string },
): Promise<Map<string, bigint[]>> {
  const { rows } = await pool.query<{ walletId: string; tokenIds: string[] }>(
    `select wallet.id as "walletId", array_agg(distinct moved.token_id)::text[] as "tokenIds"
     from wallets as wallet
     join transfers as moved on moved.network_id = $1 and moved.to_address = wallet.address
       and moved.token_address = $3 and moved.kind = 'erc721'
     where wallet.id = any($2) group by 1`,
    [input.networkId, input.walletIds, input.contract],
  )
  return new Map(rows.map(({ walletId, tokenIds }) => [walletId, tokenIds.map(BigInt)]))
}
