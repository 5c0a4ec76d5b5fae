import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { formatDecimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { countsSql } from '../legs/roles.ts'
import type { Money } from '../valuation/money.ts'

// Books whose holdings have not changed since they were computed: only prices did, or a midnight has passed.

/** A book whose state is locked. */
export interface QuietBook {
  bookId: string
  /** earliest price change that is not in its days; null: none */
  dirtyFromMs: number | null
  computedToMs: number
}

/**
 * Locks the states of those books that were computed before and whose transactions are the same since. Skips
 * books that another transaction has locked. `begunWith`: database snapshot at that moment.
 */
export async function lockQuietBooks(
  db: Db,
  bookIds: readonly string[],
): Promise<{ books: QuietBook[]; begunWith: string }> {
  const { rows } = await sql<{
    book_id: string
    dirty_from: Date | null
    computed_to: Date
    snapshot: string
  }>`
    select book_id, least(dirty_from, repriced_from) as dirty_from, computed_to, pg_current_snapshot()::text as snapshot
    from pl_states where book_id = any(${[...bookIds]}::bigint[]) and computed_to is not null and not legs_changed
    order by book_id for no key update skip locked`.execute(db)
  const books = rows.map((row) => ({
    bookId: row.book_id,
    dirtyFromMs: row.dirty_from?.getTime() ?? null,
    computedToMs: row.computed_to.getTime(),
  }))
  return { books, begunWith: rows[0]?.snapshot ?? '' }
}

/**
 * Of the given books those that may have a leg from `from` on, or had a flow. A flow without a leg is that of a first
 * price, which may have been deleted since. Corrected exchange transactions count always.
 */
export async function movingBooks(
  db: Db,
  { bookIds, from }: { bookIds: readonly string[]; from: Date },
): Promise<Set<string>> {
  const counts = sql.raw(countsSql('movement.role'))
  const { rows } = await sql<{ id: string }>`
    select id from books as book where id = any(${[...bookIds]}::bigint[]) and (
      exists (select from movements as movement where movement.wallet_id = book.wallet_id
        and movement.network_id = book.network_id and movement.at >= ${from} and ${counts})
      or exists (select from exchange_transactions as transaction where transaction.connection_id = book.connection_id
        and transaction.at >= ${from} and transaction.status = 'ok')
      or exists (select from manual_transactions as transaction where transaction.portfolio_id = book.portfolio_id
        and transaction.at >= ${from})
      or exists (select from pl_days as day where day.book_id = book.id and day.at > ${from} and day.flow_usd <> 0)
      or exists (select from transaction_parts as part where part.connection_id = book.connection_id)
      or exists (select from transaction_parts as part
        where part.portfolio_id = coalesce(book.portfolio_id, book.connection_id)))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export interface QuietDay {
  bookId: string
  atMs: number
  value: Money
  stale: boolean
}

/** Writes days without a flow. Replaces stored rows. */
export async function writeQuietDays(db: Db, days: readonly QuietDay[]): Promise<void> {
  if (days.length === 0) return
  const column = (pick: (day: QuietDay) => Decimal) =>
    sql`${days.map((day) => formatDecimal(pick(day)))}::numeric[]`
  await sql`
    insert into pl_days
      (book_id, at, value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth, stale)
    select book_id, at, usd, btc, eth, 0, 0, 0, stale from unnest(
      ${days.map((day) => day.bookId)}::bigint[], ${days.map((day) => new Date(day.atMs))}::timestamptz[],
      ${column((day) => day.value.usd)}, ${column((day) => day.value.btc)}, ${column((day) => day.value.eth)},
      ${days.map((day) => day.stale)}::boolean[]) as day (book_id, at, usd, btc, eth, stale)
    order by book_id, at
    on conflict (book_id, at) do update set (value_usd, value_btc, value_eth, flow_usd, flow_btc, flow_eth, stale) =
      (excluded.value_usd, excluded.value_btc, excluded.value_eth, 0, 0, 0, excluded.stale)`.execute(db)
}
