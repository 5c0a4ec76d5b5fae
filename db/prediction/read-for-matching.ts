import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { PredictionVenue } from './tables.ts'

/** A market with the texts that say what it asks. */
export interface WordedMarket {
  id: number
  venue: PredictionVenue
  question: string
  label: string | null
  eventTitle: string | null
  rules: string | null
  outcomes: string[]
  endsAt: Date | null
  strikeType: string | null
  floorStrike: string | null
  capStrike: string | null
  /** changes with any of these fields except the outcomes */
  digest: string
}

const DIGEST = sql`md5(concat_ws('|', m.question, m.label, e.title, m.description, extract(epoch from m.end_at), m.strike_type,
  m.floor_strike, m.cap_strike))`
const WORDS = sql`m.id, m.venue, m.question, m.label, e.title as "eventTitle", m.description as rules,
  array(select o.name from prediction_outcomes o where o.market_id = m.id order by o.position) as outcomes,
  m.end_at as "endsAt", m.strike_type as "strikeType", m.floor_strike::text as "floorStrike", m.cap_strike::text as "capStrike",
  ${DIGEST} as digest`

/** The given venues that have markets. */
export async function readVenuesInUse(
  db: Db,
  venues: readonly PredictionVenue[],
): Promise<PredictionVenue[]> {
  const { rows } = await sql<{ venue: PredictionVenue }>`
    select venue from unnest(${[...venues]}::text[]) with ordinality as v (venue, place)
    where exists (select from prediction_markets m where m.venue = v.venue) order by place`.execute(db)
  return rows.map(({ venue }) => venue)
}

/** Markets after an id that were never compared, or whose texts or method have changed since. */
export async function readMarketsToMatch(
  db: Db,
  { method, afterId, limit }: { method: string; afterId: number; limit: number },
): Promise<WordedMarket[]> {
  const { rows } = await sql<WordedMarket>`
    select ${WORDS} from prediction_markets m
    left join prediction_events e on e.id = m.event_id
    left join prediction_match_states s on s.market_id = m.id
    where m.id > ${afterId} and (s.market_id is null or s.method <> ${method} or s.digest <> ${DIGEST})
    order by m.id limit ${limit}`.execute(db)
  return rows
}

export async function readWordedMarkets(db: Db, ids: readonly number[]): Promise<WordedMarket[]> {
  const { rows } = await sql<WordedMarket>`
    select ${WORDS} from prediction_markets m left join prediction_events e on e.id = m.event_id
    where m.id = any(${ids}::int[])`.execute(db)
  return rows
}

/** Markets whose ends are further apart ask different questions, whatever their texts. */
const FURTHEST = '400 days'

/**
 * For each wanted market, up to `most` markets that have one of its keys: those with most of the keys first,
 * then those that end closest to it.
 */
export async function readCandidates(
  db: Db,
  { wanted, most }: { wanted: readonly { id: number; keys: readonly string[] }[]; most: number },
): Promise<{ id: number; otherId: number }[]> {
  const { rows } = await sql<{ id: number; otherId: number }>`
    select a.id, b.id as "otherId"
    from (
      select (w ->> 'id')::int as id, array(select jsonb_array_elements_text(w -> 'keys')) as keys
      from jsonb_array_elements(${JSON.stringify(wanted)}::jsonb) as w
    ) as a
    join prediction_markets own on own.id = a.id
    cross join lateral (
      select m.id from prediction_match_states s join prediction_markets m on m.id = s.market_id
      where s.keys && a.keys
        and coalesce(abs(extract(epoch from m.end_at - own.end_at)), 0) < extract(epoch from ${FURTHEST}::interval)
      order by (select count(*) from unnest(s.keys) as key where key = any(a.keys)) desc,
        abs(extract(epoch from m.end_at - own.end_at)) nulls last, m.id
      limit ${most}
    ) as b`.execute(db)
  return rows
}

/** A pair of events with matching markets. */
export interface EventPair {
  polymarketId: number
  kalshiId: number
  polymarketTitle: string
  kalshiTitle: string
  /** number of matching markets, and of all markets of the smaller event */
  common: number
  fewest: number
  /** mean score of the matching markets, 0 to 1 */
  score: number
}

export async function readEventPairs(db: Db, minScore: number): Promise<EventPair[]> {
  const { rows } = await sql<EventPair>`
    with counts as (
      select event_id, count(*)::int as markets from prediction_markets where event_id is not null group by event_id
    )
    select p.event_id as "polymarketId", k.event_id as "kalshiId", pe.title as "polymarketTitle", ke.title as "kalshiTitle",
      least(count(distinct p.id), count(distinct k.id))::int as common, least(pc.markets, kc.markets) as fewest,
      avg(case x.status when 'confirmed' then 1 else x.score end)::float as score
    from prediction_matches x
    join prediction_markets p on p.id = x.polymarket_id join prediction_events pe on pe.id = p.event_id
    join prediction_markets k on k.id = x.kalshi_id join prediction_events ke on ke.id = k.event_id
    join counts pc on pc.event_id = p.event_id join counts kc on kc.event_id = k.event_id
    where x.status = 'confirmed' or (x.status = 'auto' and x.relation <> 'different' and x.score >= ${minScore})
    group by p.event_id, k.event_id, pe.title, ke.title, pc.markets, kc.markets`.execute(db)
  return rows
}
