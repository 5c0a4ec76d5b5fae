import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

/** An event as it is sent. Numbers exceed what a double holds only in theory, but stay text. */
export interface NumberedEvent {
  seq: string
  type: string
  /** The envelope: JSON text. */
  body: string
}

/** What a reader asks for, besides the place where it goes on. */
export interface EventFilter {
  accountId: string
  types: readonly string[] | null
  /** Canonical; null: of any wallet and of none. */
  addresses: readonly string[] | null
}

/** Events of an account after a number, in their order. */
export async function readEvents(
  db: ReadonlyDb,
  query: EventFilter & { after: string; limit: number },
): Promise<NumberedEvent[]> {
  return readSql(
    db,
    sql<NumberedEvent>`
      select event.seq, event.type, event.body from account_events as event
      where event.account_id = ${query.accountId} and event.seq > ${query.after}
        and (${query.types}::text[] is null or event.type = any (${query.types}))
        and (${query.addresses}::text[] is null
          or event.wallet_id in (select id from wallets where address = any (${query.addresses})))
      order by event.seq limit ${query.limit}`,
  )
}

/** Between which numbers an account can go on reading without missing an event. */
export interface EventRange {
  /** Up to here events of the account may have been dropped. */
  droppedTo: string
  /** The newest event of any account. */
  newest: string
  /** The last number that was given, perhaps to an event that is not there yet. */
  given: string
  /** The first event of the account that is kept; null: it has none. */
  oldestKept: string | null
}

export async function readEventRange(db: ReadonlyDb, accountId: string): Promise<EventRange> {
  const [range] = await readSql(
    db,
    sql<EventRange>`
      select coalesce((select seq from dropped_events where account_id = ${accountId}), 0) as "droppedTo",
        (select coalesce(max(seq), 0) from account_events) as newest,
        (select case when is_called then last_value else 0 end from event_numbers) as given,
        (select min(seq) from account_events where account_id = ${accountId}) as "oldestKept"`,
  )
  return range!
}

/** An event with what decides who gets it. */
export interface RoutedEvent extends NumberedEvent {
  accountId: string
  address: string | null
}

/**
 * Events of some accounts after a number, and the number up to which there are no others.
 */
export async function readNewEvents(
  db: ReadonlyDb,
  query: { accountIds: readonly string[]; after: string; limit: number },
): Promise<{ events: RoutedEvent[]; through: string }> {
  const rows = await readSql(
    db,
    sql<RoutedEvent & { newest: string }>`
      select newest.seq as newest, event.*
      from (select coalesce(max(seq), ${query.after}::bigint) as seq from account_events) as newest
      left join lateral (
        select row.seq, row.type, row.body, row.account_id as "accountId", wallet.address
        from account_events as row left join wallets as wallet on wallet.id = row.wallet_id
        where row.seq > ${query.after} and row.seq <= newest.seq and row.account_id = any (${query.accountIds}::uuid[])
        order by row.seq limit ${query.limit}
      ) as event on true`,
  )
  const events = rows.filter(({ seq }) => seq !== null)
  const through = events.length < query.limit ? rows[0]!.newest : events.at(-1)!.seq
  return { events, through: BigInt(through) > BigInt(query.after) ? through : query.after }
}
