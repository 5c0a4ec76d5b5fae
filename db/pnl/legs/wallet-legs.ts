import { sql } from 'kysely'
import { priceInForce } from '../../prices/read-prices.ts'
import type { KeyOfBook, LegReads, LegRow, LegSource } from './leg-source.ts'
import { countsSql } from './roles.ts'

const COUNTS = sql.raw(countsSql('role'))
const COUNTS_OF_MOVEMENT = sql.raw(countsSql('movement.role'))

/** The movements of a wallet on a network, in chain order. */
export function walletReads({ walletId, networkId }: Record<'walletId' | 'networkId', KeyOfBook>): LegReads {
  const scope = sql`wallet_id = ${walletId} and network_id = ${networkId}`
  return {
    kind: 'wallet',

    legs: ({ from, to }) => sql<LegRow>`
      select tx_hash as tx_id, seq, floor(extract(epoch from at) * 1000)::float8 as at_ms, role, coin_id, raw, decimals,
        price_usd, false as corrected
      from movements where ${scope} and at >= ${from} and at < ${to} and ${COUNTS}
      order by at, tx_index, tx_hash, seq`,

    first: sql<{ at: Date }>`select at from movements where ${scope} and ${COUNTS} order by at limit 1`,
  }
}

/** The legs of a wallet on a network. */
export function walletLegs(book: { id: string; walletId: string; networkId: string }): LegSource {
  const scope = sql`wallet_id = ${book.walletId} and network_id = ${book.networkId}`
  return {
    ...walletReads(book),
    mayOwe: true,
    isOrdered: true,

    async lock(db) {
      await sql`select from wallet_syncs where ${scope} for no key update`.execute(db)
    },

    // Writes only prices that differ. The next sync derives the transactions from the first of them on again,
    // because the served transactions contain their value.
    async reprice(db, { from, to }) {
      await sql`
        with repriced as (
        update movements as movement
        set price_usd = price.usd, price_at = price.at, price_source = price.source
        from (
          select distinct coin_id, at from movements where ${scope} and at >= ${from} and at <= ${to} and ${COUNTS}
        ) as cell
        left join lateral (
          ${sql.raw(priceInForce({ coinId: 'cell.coin_id', at: 'cell.at', columns: 'usd, at, source' }))}
        ) as price on true
        where movement.wallet_id = ${book.walletId} and movement.network_id = ${book.networkId}
          and movement.coin_id = cell.coin_id and movement.at = cell.at and ${COUNTS_OF_MOVEMENT}
          and movement.price_usd is distinct from price.usd
        returning movement.block_number
        ) update wallet_syncs set normalised_block = least(normalised_block, (select min(block_number) - 1 from repriced))
        where ${scope} and exists (select from repriced)`.execute(db)
    },
  }
}
