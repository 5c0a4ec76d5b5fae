import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Leg } from './leg.ts'

type MatchedLeg = Pick<Leg, 'account' | 'txId' | 'seq' | 'atMs' | 'coinId' | 'quantity'>

/** Adds own transfers of a wallet between two of its networks. */
export async function insertMatches(input: {
  db: Db
  walletId: string
  matches: readonly { out: MatchedLeg; in: MatchedLeg }[]
}): Promise<void> {
  const { matches } = input
  if (matches.length === 0) return
  const text = (pick: (match: (typeof matches)[number]) => string) => sql`${matches.map(pick)}::text[]`
  const integer = (pick: (match: (typeof matches)[number]) => number) => sql`${matches.map(pick)}::integer[]`
  const instant = (pick: (match: (typeof matches)[number]) => number) =>
    sql`${matches.map((match) => new Date(pick(match)))}::timestamptz[]`
  await sql`
    insert into transfer_matches (wallet_id, coin_id, raw, decimals, from_network_id, from_at, from_tx_hash, from_seq,
      to_network_id, to_at, to_tx_hash, to_seq)
    select ${input.walletId}, * from unnest(
      ${text((match) => match.in.coinId)},
      ${text((match) => match.in.quantity.coefficient.toString())}::numeric[],
      ${integer((match) => match.in.quantity.scale)}::smallint[],
      ${text((match) => match.out.account)}, ${instant((match) => match.out.atMs)},
      ${text((match) => match.out.txId)}, ${integer((match) => match.out.seq)},
      ${text((match) => match.in.account)}, ${instant((match) => match.in.atMs)},
      ${text((match) => match.in.txId)}, ${integer((match) => match.in.seq)})`.execute(input.db)
}
