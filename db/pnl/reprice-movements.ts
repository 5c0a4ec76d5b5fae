import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/**
 * Takes the row of the wallet's sync before that of its P&L, in the order of the sync itself, if there are prices to
 * replace.
 */
export async function lockSyncToReprice(input: {
  db: Db
  walletId: string
  networkId: string
}): Promise<void> {
  const { walletId, networkId } = input
  await sql`
    select from wallet_syncs where wallet_id = ${walletId} and network_id = ${networkId} and exists (
      select from pl_states
      where wallet_id = ${walletId} and network_id = ${networkId} and repriced_from is not null)
    for update`.execute(input.db)
}

/**
 * Gives the movements of a wallet on a network from an instant on the price that is in force at theirs now. Writes only
 * where it differs. Of an hourly and a daily point at the same instant the daily one counts. From the first of them on the
 * next sync of the wallet derives its transactions again: what is served of them holds their worth.
 */
export async function repriceMovements(input: {
  db: Db
  walletId: string
  networkId: string
  from: Date
}): Promise<void> {
  const { walletId, networkId, from } = input
  await sql`
    with repriced as (
    update movements as movement
    set price_usd = price.usd, price_at = price.at, price_source = price.source
    from (
      select distinct coin_id, at from movements
      where wallet_id = ${walletId} and network_id = ${networkId} and at >= ${from} and role <> 'spam'
    ) as cell
    left join lateral (
      select usd, at, source from (
        (select usd, at, source, 0 as preference from price_days
         where coin_id = cell.coin_id and at <= cell.at order by at desc limit 1)
        union all
        (select usd, at, source, 1 from price_hours
         where coin_id = cell.coin_id and at <= cell.at order by at desc limit 1)
      ) as candidates order by at desc, preference limit 1
    ) as price on true
    where movement.wallet_id = ${walletId} and movement.network_id = ${networkId}
      and movement.coin_id = cell.coin_id and movement.at = cell.at and movement.role <> 'spam'
      and movement.price_usd is distinct from price.usd
    returning movement.block_number
    ) update wallet_syncs set normalised_block = least(normalised_block, (select min(block_number) - 1 from repriced))
    where wallet_id = ${walletId} and network_id = ${networkId} and exists (select from repriced)`.execute(
    input.db,
  )
}
