import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { UNIT_COINS } from './unit-prices.ts'

/**
 * Notes the earliest change of a wallet on a network that its P&L days do not have yet. To be called in the same
 * transaction as the change: the recompute holds the row while it runs, so no change slips between it and its marker.
 */
export async function markWalletDirty(input: {
  db: Db
  walletId: string
  networkId: string
  from: Date
}): Promise<void> {
  await sql`
    insert into pl_states (wallet_id, network_id, dirty_from)
    values (${input.walletId}, ${input.networkId}, ${input.from})
    on conflict (wallet_id, network_id) do update
    set dirty_from = least(pl_states.dirty_from, excluded.dirty_from)`.execute(input.db)
}

/**
 * The same for every wallet that ever held a coin whose price has changed from an instant on. A point at midnight also
 * prices the day that ends there. BTC and ETH are units of account, so they concern every wallet.
 */
export async function markHoldersDirty(input: {
  db: Db
  coinIds: readonly string[]
  from: Date
}): Promise<void> {
  const { coinIds, from } = input
  const concernsAll = Object.values<string>(UNIT_COINS).some((unit) => coinIds.includes(unit))
  await sql`
    update pl_states as state
    set dirty_from = least(state.dirty_from, ${from}::timestamptz - interval '1 millisecond')
    where state.computed_to >= ${from} and (${concernsAll} or exists (
      select from balance_days as held
      where held.wallet_id = state.wallet_id and held.network_id = state.network_id
        and held.coin_id = any(${[...coinIds]}::text[])
    ))`.execute(input.db)
}
