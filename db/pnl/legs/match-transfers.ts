import { MATCH_WINDOW_MS, matchedSince, type Scope } from '../scopes.ts'
import { meaningOf, rolesWhere, sqlList } from './roles.ts'
import { add, compare, decimal, multiply, negate, sign, formatDecimal } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { type Leg, type Match, matchFee } from './leg.ts'
import { type LegRow, legSource } from './leg-source.ts'

export interface TransferLeg extends Pick<Leg, 'account' | 'txId' | 'seq' | 'atMs' | 'coinId'> {
  quantity: Decimal
  /** network or exchange; null: a manual record */
  place: string | null
}

/** A bridge takes at most 1% of the amount; a larger difference means two separate transfers. */
const ARRIVING_SHARE = decimal('0.99')

/**
 * Matches departures with arrivals of the same coin in another own book within 72 hours. Legs must come in
 * the order of time, departures first.
 *
 * An arrival matches the oldest departure of the same amount. If there is none, it may have crossed a bridge
 * that took at most 1% of the amount as its fee: then it matches a departure from another network or
 * exchange, the nearest in amount, then the oldest. Bridges are decided 72 hours later, because equal amounts
 * go first and one may still arrive. So an equal pair depends on nothing later, a bridge on 72 hours more,
 * and only legs of the last 144 hours are kept.
 */
export function createTransferMatcher<L extends TransferLeg>(onMatch: (match: { out: L; in: L }) => void) {
  /** Departures by coin, the smallest amount first, then the oldest. */
  const open = new Map<string, L[]>()
  /** Arrivals without an equal departure, the oldest first. */
  const arrivals: L[] = []
  let sweptMs = -Infinity

  const close = (arrival: L, over: { isNear: (out: L) => boolean; isPossible: (out: L) => boolean }) => {
    const outs = open.get(arrival.coinId) ?? []
    for (
      let index = positionOf(outs, { amount: arrival.quantity, isAfterEqual: false });
      index < outs.length;
      index++
    ) {
      const out = outs[index]!
      if (!over.isNear(out)) return false
      const isInTime = out.atMs <= arrival.atMs && out.atMs >= arrival.atMs - MATCH_WINDOW_MS
      if (!isInTime || !over.isPossible(out)) continue
      outs.splice(index, 1)
      onMatch({ out, in: arrival })
      return true
    }
    return false
  }
  const transfer = (arrival: L) =>
    close(arrival, {
      isNear: (out) => sign(add(out.quantity, arrival.quantity)) === 0,
      isPossible: (out) => out.account !== arrival.account,
    })
  const bridge = (arrival: L) =>
    close(arrival, {
      isNear: (out) => sign(add(multiply(out.quantity, ARRIVING_SHARE), arrival.quantity)) >= 0,
      isPossible: (out) => out.place !== null && out.place !== arrival.place,
    })
  const decide = (beforeMs: number): void => {
    const undecided = arrivals.findIndex((arrival) => arrival.atMs >= beforeMs)
    const decided = arrivals.splice(0, undecided < 0 ? arrivals.length : undecided)
    for (const arrival of decided) bridge(arrival)
  }
  const sweep = (beforeMs: number): void => {
    for (const [coinId, outs] of open) {
      const kept = outs.filter((out) => out.atMs >= beforeMs)
      if (kept.length > 0) open.set(coinId, kept)
      else open.delete(coinId)
    }
  }
  return {
    add(leg: L): void {
      decide(leg.atMs - MATCH_WINDOW_MS)
      if (leg.atMs > sweptMs + MATCH_WINDOW_MS) {
        sweptMs = leg.atMs
        sweep(leg.atMs - 2 * MATCH_WINDOW_MS)
      }
      if (sign(leg.quantity) >= 0) {
        if (!transfer(leg) && leg.place !== null) arrivals.push(leg)
        return
      }
      const outs = open.get(leg.coinId) ?? []
      outs.splice(positionOf(outs, { amount: negate(leg.quantity), isAfterEqual: true }), 0, leg)
      open.set(leg.coinId, outs)
    },
    end(): void {
      decide(Infinity)
    },
  }
}

/** Matches legs given in any order. By default each account is a place of its own. */
export function matchTransfers(
  legs: readonly Leg[],
  placeOf: (account: string) => string | null = (account) => account,
): Match[] {
  const found: Match[] = []
  const matcher = createTransferMatcher<Leg & TransferLeg>((match) => found.push(match))
  const transfers = legs.filter((leg) => meaningOf(leg).flow === 'unless own').sort(inOrder)
  for (const leg of transfers) matcher.add({ ...leg, place: placeOf(leg.account) })
  matcher.end()
  return found
}

/** Index for a departure of an amount, before or after those of the same amount. */
function positionOf(
  outs: readonly TransferLeg[],
  { amount, isAfterEqual }: { amount: Decimal; isAfterEqual: boolean },
): number {
  let [low, high] = [0, outs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const difference = compare(negate(outs[middle]!.quantity), amount)
    if (difference < 0 || (isAfterEqual && difference === 0)) low = middle + 1
    else high = middle
  }
  return low
}

function inOrder(a: Leg, b: Leg): number {
  return (
    a.atMs - b.atMs ||
    sign(a.quantity) - sign(b.quantity) ||
    compareText(a.account, b.account) ||
    compareText(a.txId, b.txId) ||
    a.seq - b.seq
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const PAGE_ROWS = 5_000

const MAY_BE_OWN = sql.raw(sqlList(rolesWhere(({ flow }) => flow === 'unless own')))

/** Later than any leg. */
const END = new Date('9999-01-01')

export interface TransferRow extends Omit<LegRow, 'role' | 'corrected'> {
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
export async function* readTransfers({ db, scope, fromMs }: Since): AsyncGenerator<TransferRow[]> {
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
    const { rows } = await sql<TransferRow>`fetch ${sql.lit(PAGE_ROWS)} from pnl_transfers`.execute(db)
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
