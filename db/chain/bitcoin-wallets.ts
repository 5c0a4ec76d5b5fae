import type pg from 'pg'

/** The addresses of extended keys that have transactions, by key. */
export async function usedAddresses(
  pool: pg.Pool,
  input: { networkId: string; wallets: readonly string[] },
): Promise<Map<string, string[]>> {
  if (input.wallets.length === 0) return new Map()
  const { rows } = await pool.query<{ wallet: string; accounts: string[] }>(
    `select address as wallet, array_agg(account) as accounts
     from wallet_accounts join wallets on wallets.id = wallet_id
     where network_id = $1 and role = 'address' and address = any($2) group by address`,
    [input.networkId, input.wallets],
  )
  return new Map(rows.map(({ wallet, accounts }) => [wallet, accounts]))
}

/** The stored outputs of the transactions. Of a transaction of a wallet all its own ones are stored. */
export async function storedOutputs(
  pool: pg.Pool,
  input: { networkId: string; txids: readonly string[] },
): Promise<{ txid: string; position: number; address: string }[]> {
  const { rows } = await pool.query<{ txid: string; position: number; address: string }>({
    name: 'stored_outputs',
    text: `select tx_hash as txid, position::int as position, to_address as address from transfers
      where network_id = $1 and kind = 'output' and tx_hash = any($2)`,
    values: [input.networkId, input.txids],
  })
  return rows
}

/** Satoshis of stored outputs less those of stored inputs up to a block, by wallet. */
export async function unspentOutputs(
  pool: pg.Pool,
  input: {
    networkId: string
    throughBlock: number
    wallets: readonly { walletId: string; addresses: readonly string[] }[]
  },
): Promise<Map<string, bigint>> {
  const owned = input.wallets.flatMap(({ walletId, addresses }) =>
    addresses.map((address) => ({ walletId, address })),
  )
  const { rows } = await pool.query<{ wallet_id: string; raw: string }>(
    `select wallet_id, sum(raw) as raw
     from unnest($3::bigint[], $4::text[]) as owned (wallet_id, address) cross join lateral (
       select raw from transfers
       where network_id = $1 and to_address = address and block_number <= $2 and kind = 'output'
       union all select -raw from transfers
       where network_id = $1 and from_address = address and block_number <= $2 and kind = 'input'
     ) as moved group by wallet_id`,
    [
      input.networkId,
      input.throughBlock,
      owned.map(({ walletId }) => walletId),
      owned.map(({ address }) => address),
    ],
  )
  return new Map(rows.map((row) => [row.wallet_id, BigInt(row.raw)]))
}
