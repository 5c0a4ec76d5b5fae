import type pg from 'pg'

/** The given contracts that are not in `tokens`. */
export async function unknownTokens(
  pool: pg.Pool,
  input: { networkId: string; addresses: readonly string[] },
): Promise<string[]> {
  const { rows } = await pool.query<{ address: string }>(
    `select distinct address from unnest($2::text[]) as given (address)
     where not exists (select from tokens where network_id = $1 and tokens.address = given.address)
     order by address`,
    [input.networkId, input.addresses],
  )
  return rows.map((row) => row.address)
}
