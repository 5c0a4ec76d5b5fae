import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import type { PredictionMatch } from './match-tables.ts'

/** Pairs that are served from a score on. A decision of an operator overrides the computed score. */
const served = (minScore: number) => sql`(x.status = 'confirmed'
  or (x.status = 'auto' and x.relation <> 'different' and x.score >= ${minScore}::numeric))`
const SCORE = sql`case x.status when 'confirmed' then 1 else x.score end::text`

export interface MarketMatch {
  /** the requested market, and its match at another venue */
  id: number
  otherId: number
  score: string
  inverted: boolean
}

/** Matching markets at other venues, highest score first. */
export async function readMarketMatches(
  db: ReadonlyDb,
  { ids, minScore }: { ids: readonly number[]; minScore: number },
): Promise<MarketMatch[]> {
  return readSql(
    db,
    sql<MarketMatch>`
      select pair.id, pair.other as "otherId", pair.score, pair.inverted from (
        select x.polymarket_id as id, x.kalshi_id as other, ${SCORE} as score, x.inverted from prediction_matches x
        where x.polymarket_id = any(${ids}::int[]) and ${served(minScore)}
        union all
        select x.kalshi_id, x.polymarket_id, ${SCORE}, x.inverted from prediction_matches x
        where x.kalshi_id = any(${ids}::int[]) and ${served(minScore)}
      ) as pair order by pair.score::numeric desc, pair.inverted, pair.other`,
  )
}

/** Events of other venues with matching markets, highest score first. */
export async function readEventMatches(
  db: ReadonlyDb,
  { id, minScore }: { id: number; minScore: number },
): Promise<{ otherId: number; score: string }[]> {
  return readSql(
    db,
    sql<{ otherId: number; score: string }>`
      select case x.polymarket_id when ${id} then x.kalshi_id else x.polymarket_id end as "otherId", x.score::text
      from prediction_event_matches x
      where (x.polymarket_id = ${id} or x.kalshi_id = ${id}) and x.score >= ${minScore}::numeric
      order by x.score desc, 1`,
  )
}

export interface ListedMatch extends Pick<
  PredictionMatch,
  'status' | 'relation' | 'inverted' | 'score' | 'method'
> {
  polymarket_slug: string
  kalshi_slug: string
  vetoes: { clause: string; reason: string }[]
}

/** Pairs for an operator, highest score first. */
export async function listMatches(
  db: Db,
  { status, relation, limit }: { status: string | null; relation: string | null; limit: number },
): Promise<ListedMatch[]> {
  const { rows } = await sql<ListedMatch>`
    select p.slug as polymarket_slug, k.slug as kalshi_slug, x.status, x.relation, x.inverted, x.score, x.method, x.vetoes
    from prediction_matches x
    join prediction_markets p on p.id = x.polymarket_id join prediction_markets k on k.id = x.kalshi_id
    where (${status}::text is null or x.status = ${status}) and (${relation}::text is null or x.relation = ${relation})
    order by x.score desc, p.volume_total_usd desc, x.polymarket_id, x.kalshi_id limit ${limit}`.execute(db)
  return rows
}
