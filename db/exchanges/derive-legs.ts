import type pg from 'pg'
import { newExchangeTransactions, noteExchangeTransactions } from '../events/note-exchange-events.ts'
import { markBookDirty } from '../pnl/books.ts'
import { transact } from '../transact.ts'
import { LEG_PRICE, priceLegs } from './price-legs.ts'
import { writeOpenings } from './write-openings.ts'

/**
 * Derives the legs of new and changed transactions and of all later ones, with running totals and the prices
 * of their instants. Does the same for openings. Then prices legs that had no price, and notes what is news to
 * the account. Everything of a connection commits together with the dirty mark of its P&L. `statedAt`: when the
 * exchange stated the balances.
 */
export async function deriveLegs(
  pool: pg.Pool,
  { connectionId, statedAt }: { connectionId: string; statedAt: Date },
): Promise<{ legs: number }> {
  return transact(pool, async ({ client, db }) => {
    // Locked before the P&L state, in the same order as a recompute.
    await client.query('select from exchange_connections where id = $1 for update', [connectionId])
    const news = await newExchangeTransactions(client, connectionId)
    let legs = 0
    const deriveChanged = async (): Promise<void> => {
      const fromAt = await earliestChange(client, connectionId)
      if (fromAt === null) return
      await markParts(client, connectionId)
      legs += await writeLegs(client, { connectionId, fromAt })
      await markBookDirty({ db, book: { connectionId }, from: fromAt })
    }
    await deriveChanged()
    await writeOpenings(client, { connectionId, statedAt })
    await deriveChanged()
    await priceLegs(db, connectionId)
    await client.query(
      `update exchange_transactions t set identified = known.identified
       from exchange_connections c, exchange_assets a,
         lateral (select a.coin_id is not null or a.currency is not null as identified) as known
       where t.connection_id = $1 and c.id = $1 and a.venue = c.venue and a.asset = t.asset
         and t.identified <> known.identified`,
      [connectionId],
    )
    await noteExchangeTransactions({ client, db }, { connectionId, keys: news })
    return { legs }
  })
}

/** The earliest instant, before or after the change, of all changed transactions; null: nothing changed */
async function earliestChange(client: pg.ClientBase, connectionId: string): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    `select least(min(t.at), min(l.at)) as at from exchange_transactions t
     left join exchange_legs l on l.connection_id = $1 and l.kind = t.kind and l.key = t.key
     where t.connection_id = $1 and not t.derived`,
    [connectionId],
  )
  return rows[0]?.at ?? null
}

/** Marks where corrected parts of changed transactions count. Runs before their legs are derived. */
async function markParts(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(
    `select mark_transaction_part(p) from transaction_parts p join exchange_transactions t using (connection_id, kind, key)
     where p.connection_id = $1 and not t.derived order by p.portfolio_id`,
    [connectionId],
  )
}

/** Deletes and inserts in one pass over the rows; joining totals back to rows would take three. */
async function writeLegs(
  client: pg.ClientBase,
  { connectionId, fromAt }: { connectionId: string; fromAt: Date },
): Promise<number> {
  await client.query('delete from exchange_legs where connection_id = $1 and at >= $2', [
    connectionId,
    fromAt,
  ])
  const { rowCount } = await client.query(
    `with base as materialized (
       select distinct on (asset) asset, total from exchange_legs
       where connection_id = $1 and at < $2
       order by asset, at desc, kind desc, key desc, role desc
     )
     insert into exchange_legs
       (connection_id, kind, key, role, asset, at, delta, total, price_usd, source, fetched_at)
     select leg.connection_id, leg.kind, leg.key, leg.role, leg.asset, leg.at, leg.delta,
       coalesce(base.total, 0)
         + sum(leg.delta) over (partition by leg.asset order by leg.at, leg.kind, leg.key, leg.role),
       ${LEG_PRICE}, leg.source, leg.fetched_at
     from (
       select t.connection_id, t.kind, t.key, of.role, of.asset, t.at, of.delta, t.source, t.fetched_at
       from exchange_transactions t cross join lateral exchange_legs_of(t) as of
       where t.connection_id = $1 and t.at >= $2
     ) as leg
     join exchange_connections c on c.id = $1
     left join base on base.asset = leg.asset
     left join exchange_assets a on a.venue = c.venue and a.asset = leg.asset`,
    [connectionId, fromAt],
  )
  await client.query(
    'update exchange_transactions set derived = true where connection_id = $1 and not derived',
    [connectionId],
  )
  return rowCount ?? 0
}
