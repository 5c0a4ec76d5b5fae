import { sql } from 'kysely'
import { copyRows } from '../copy-rows.ts'
import type { Db } from '../schema.ts'
import type { Transaction } from '../transact.ts'
import { PREDICTION_VENUES } from '../values/prediction-venues.ts'
import type { PredictionMatch } from './match-tables.ts'

interface Stamp {
  method: string
  source: string
  now: Date
}

export interface ComparedPair {
  polymarketId: number
  kalshiId: number
  relation: PredictionMatch['relation']
  inverted: boolean
  score: number
  vetoes: readonly { clause: string; reason: string }[]
}

/** Stores what was read of markets, so that they are read again only when their texts change. */
export async function storeMatchStates(
  { client }: Transaction,
  {
    states,
    method,
    source,
    now,
  }: Stamp & { states: readonly { id: number; digest: string; keys: string[] }[] },
): Promise<void> {
  await copyRows(client, {
    table: 'prediction_match_states',
    columns: ['market_id', 'digest', 'method', 'keys', 'source', 'fetched_at'],
    key: ['market_id'],
    update: ['digest', 'method', 'keys'],
    stamp: ['source', 'fetched_at'],
    rows: states.map(({ id, digest, keys }) => [id, digest, method, keys, source, now]),
  })
}

/** Replaces the computed pairs of some markets; decisions of an operator stay. */
export async function replaceMatches(
  { client, db }: Transaction,
  {
    marketIds,
    pairs,
    method,
    source,
    now,
  }: Stamp & { marketIds: readonly number[]; pairs: readonly ComparedPair[] },
): Promise<void> {
  await sql`delete from prediction_matches where status = 'auto'
    and (polymarket_id = any(${marketIds}::int[]) or kalshi_id = any(${marketIds}::int[]))`.execute(db)
  const columns = [
    'polymarket_id',
    'kalshi_id',
    'relation',
    'inverted',
    'score',
    'vetoes',
    'method',
    'status',
  ]
  await copyRows(client, {
    table: 'prediction_matches',
    columns: [...columns, 'source', 'fetched_at'],
    key: ['polymarket_id', 'kalshi_id'],
    rows: pairs.map((pair) => [
      pair.polymarketId,
      pair.kalshiId,
      pair.relation,
      pair.inverted,
      pair.score,
      JSON.stringify(pair.vetoes),
      method,
      'auto',
      source,
      now,
    ]),
  })
}

/** Replaces all pairs of events. */
export async function replaceEventMatches(
  { client, db }: Transaction,
  input: Stamp & {
    pairs: readonly { polymarketId: number; kalshiId: number; score: number; common: number }[]
  },
): Promise<void> {
  const { pairs, method, source, now } = input
  await sql`delete from prediction_event_matches`.execute(db)
  await copyRows(client, {
    table: 'prediction_event_matches',
    columns: ['polymarket_id', 'kalshi_id', 'score', 'markets', 'method', 'source', 'fetched_at'],
    key: ['polymarket_id', 'kalshi_id'],
    rows: pairs.map((pair) => [
      pair.polymarketId,
      pair.kalshiId,
      pair.score,
      pair.common,
      method,
      source,
      now,
    ]),
  })
}

/**
 * Stores the decision of an operator on a pair, by slugs. `inverted` null keeps the computed value, or false
 * without one. Returns null when a market does not exist, or if both are of one venue.
 */
export async function decideMatch(
  db: Db,
  input: {
    slugs: readonly [string, string]
    status: 'confirmed' | 'rejected'
    inverted: boolean | null
    now: Date
  },
): Promise<{ inverted: boolean } | null> {
  const { slugs, status, inverted, now } = input
  const order = [...PREDICTION_VENUES]
  const { rows } = await sql<{ inverted: boolean }>`
    insert into prediction_matches as stored (polymarket_id, kalshi_id, relation, inverted, score, vetoes, method, status, decided_at,
      source, fetched_at)
    select p.id, k.id, ${status === 'confirmed' ? 'same' : 'different'}, ${inverted ?? false}, ${status === 'confirmed' ? 1 : 0}, '[]',
      'operator', ${status}, ${now}, 'operator', ${now}
    from prediction_markets p, prediction_markets k
    where p.slug = any(${[...slugs]}::text[]) and k.slug = any(${[...slugs]}::text[])
      and array_position(${order}::text[], p.venue) < array_position(${order}::text[], k.venue)
    on conflict (polymarket_id, kalshi_id) do update set status = excluded.status, decided_at = excluded.decided_at,
      inverted = coalesce(${inverted}::boolean, stored.inverted)
    returning inverted`.execute(db)
  return rows[0] ?? null
}
