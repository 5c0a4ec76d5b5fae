import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { formatDecimal } from '../../values/decimal.ts'
import { type Leg, matchFee } from './leg.ts'
import { type LegRow, legSource } from './leg-source.ts'
import { rolesWhere, sqlList } from './roles.ts'
import { MATCH_WINDOW_MS, matchedSince, type Scope } from '../scopes.ts'

const PAGE_ROWS = 5_000

const MAY_BE_OWN = sql.raw(sqlList(rolesWhere(({ flow }) => flow === 'unless own')))

/** Later than any leg. */
const END = new Date('9999-01-01')

export interface TransferLeg extends Omit<LegRow, 'role' | 'corrected'> {
  book_id: string
}

interface Since {
  db: Db
  scope: Scope
  fromMs: number
}

/** Earliest arrival of a bridge whose match may differ after a change at `fromMs`. */
const bridgedSince = (fromMs: number): number => Math.max(fromMs - MATCH_WINDOW_MS, 0)

/** Deletes the own transfers of a scope that legs from `fromMs` on may have decided. */
export async function deleteMatchesSince({ db, scope, fromMs }: Since): Promise<void> {
  await sql`
    delete from transfer_matches
    where scope_id = ${scope.id}
      and (to_at >= ${new Date(fromMs)} or (fee > 0 and to_at >= ${new Date(bridgedSince(fromMs))}))`.execute(
    db,
  )
}

/**
 * Yields pages of the legs that may form own transfers after a change at `fromMs`, in the order of time: all
 * legs since then, and earlier ones without a kept match. Needs an open transaction.
 */
export async function* readTransfers({ db, scope, fromMs }: Since): AsyncGenerator<TransferLeg[]> {
  const { id: scopeId, books } = scope
  const bridgedMs = bridgedSince(fromMs)
  const windowStart = new Date(matchedSince(fromMs))
  const transfers = books.map(
    (book) => sql`
      select ${book.id}::bigint as book_id, tx_id, seq, at_ms, coin_id, raw, decimals, price_usd
      from (${legSource(book).legs({ from: windowStart, to: END })}) as leg
      where role in ${MAY_BE_OWN}`,
  )
  await sql`declare pnl_transfers no scroll cursor for
    select * from (${sql.join(transfers, sql` union all `)}) as leg
    where at_ms >= ${fromMs}::float8 or (raw < 0 and not exists (
      select from transfer_matches as kept
      where kept.scope_id = ${scopeId} and kept.from_book_id = leg.book_id and kept.from_tx_id = leg.tx_id and kept.from_seq = leg.seq))
      or (raw >= 0 and at_ms >= ${bridgedMs}::float8 and not exists (
      select from transfer_matches as kept
      where kept.scope_id = ${scopeId} and kept.to_at >= ${new Date(bridgedMs)}
        and kept.to_book_id = leg.book_id and kept.to_tx_id = leg.tx_id and kept.to_seq = leg.seq))
    order by at_ms, sign(raw), book_id, tx_id collate "C", seq`.execute(db)
  for (;;) {
    const { rows } = await sql<TransferLeg>`fetch ${sql.lit(PAGE_ROWS)} from pnl_transfers`.execute(db)
    yield rows
    if (rows.length < PAGE_ROWS) break
  }
  await sql`close pnl_transfers`.execute(db)
}

type MatchedLeg = Pick<Leg, 'account' | 'txId' | 'seq' | 'atMs' | 'coinId' | 'quantity'> & {
  /** stored with the leg; null: the price in force */
  price: string | null
}

/** Stores own transfers of a scope. */
export async function insertMatches(input: {
  db: Db
  scopeId: string
  matches: readonly { out: MatchedLeg; in: MatchedLeg }[]
}): Promise<void> {
  const { matches } = input
  if (matches.length === 0) return
  const text = (pick: (match: (typeof matches)[number]) => string | null) => sql`${matches.map(pick)}::text[]`
  const integer = (pick: (match: (typeof matches)[number]) => number) => sql`${matches.map(pick)}::integer[]`
  const instant = (pick: (match: (typeof matches)[number]) => number) =>
    sql`${matches.map((match) => new Date(pick(match)))}::timestamptz[]`
  await sql`
    insert into transfer_matches (scope_id, coin_id, raw, decimals, fee, from_book_id, from_at, from_tx_id, from_seq, from_price_usd,
      to_book_id, to_at, to_tx_id, to_seq, to_price_usd)
    select ${input.scopeId}::bigint, * from unnest(
      ${text((match) => match.in.coinId)},
      ${text((match) => match.in.quantity.coefficient.toString())}::numeric[],
      ${integer((match) => match.in.quantity.scale)}::smallint[],
      ${text((match) => formatDecimal(matchFee(match)))}::numeric[],
      ${text((match) => match.out.account)}::bigint[], ${instant((match) => match.out.atMs)},
      ${text((match) => match.out.txId)}, ${integer((match) => match.out.seq)},
      ${text((match) => match.out.price)}::numeric[],
      ${text((match) => match.in.account)}::bigint[], ${instant((match) => match.in.atMs)},
      ${text((match) => match.in.txId)}, ${integer((match) => match.in.seq)},
      ${text((match) => match.in.price)}::numeric[])`.execute(input.db)
}
