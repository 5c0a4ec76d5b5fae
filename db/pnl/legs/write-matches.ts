import { sql } from 'kysely'
import type { Db } from '../../schema.ts'
import { formatDecimal } from '../../values/decimal.ts'
import { type Leg, matchFee } from './leg.ts'

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
