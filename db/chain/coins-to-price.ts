import type pg from 'pg'
import { UNIT_COINS } from '../values/coins.ts'

/**
 * The coins of a wallet's transfers and the units of P&L, and the time of the first transfer. null: the
 * wallet has no transfer yet.
 */
export async function coinsToPrice(
  pool: pg.Pool,
  input: { networkId: string; addresses: readonly string[] },
): Promise<{ coinIds: string[]; from: Date } | null> {
  const { rows } = await pool.query<{ coin_ids: string[] | null; first_at: Date | null }>(
    `with touched as (
       select token_address, at from transfers where network_id = $1 and from_address = any($2) and kind <> 'approval'
       union all select token_address, at from transfers where network_id = $1 and to_address = any($2)
       union all select null, at from transactions where network_id = $1 and from_address = any($2)
       union all select null, at from cold_transactions where network_id = $1 and from_address = any($2)
     )
     select (select min(at) from touched) as first_at, array(
       select coin_id from networks where id = $1
       union select unnest($3::text[])
       union select coin_id from tokens
       where network_id = $1 and address in (select token_address from touched)
         and (spam_reason is null or spam_reason = 'multisend')
       order by 1
     ) as coin_ids`,
    [input.networkId, input.addresses, Object.values(UNIT_COINS)],
  )
  const { coin_ids: coinIds, first_at: from } = rows[0]!
  return coinIds && from ? { coinIds, from } : null
}
