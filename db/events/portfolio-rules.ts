import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** An alert on the value of a portfolio. */
export interface PortfolioRule {
  id: string
  portfolioId: string
  changePercent: string
  /** What its account was last told; null: nothing yet. */
  valueUsd: string | null
}

/** The next rules after one whose accounts may be told again, in the order of their portfolios. */
export async function readPortfolioRules(
  db: Db,
  {
    after,
    limit,
    now,
  }: { after: Pick<PortfolioRule, 'id' | 'portfolioId'> | null; limit: number; now: Date },
): Promise<PortfolioRule[]> {
  const next = after ? sql`(subject, id) > (${after.portfolioId}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<PortfolioRule>`
    select id, subject as "portfolioId", rule ->> 'changePercent' as "changePercent", value_usd as "valueUsd"
    from alert_rules
    where kind = 'portfolio.value' and ${next}
      and (fired_at is null or fired_at <= ${now}::timestamptz - make_interval(secs => (rule ->> 'everySeconds')::integer))
    order by subject, id limit ${limit}`.execute(db)
  return rows
}

/**
 * Notes events of rules whose portfolio has moved, and the values from which they measure then. A rule without
 * an earlier value only gets one. A rule that another process has moved meanwhile is left alone.
 */
export async function notePortfolioValues(
  db: Db,
  { now, moved }: { now: Date; moved: readonly { id: string; from: string | null; to: string }[] },
): Promise<void> {
  await sql`
    with moved as (
      update alert_rules r set value_usd = m.value,
        fired_at = case when m.previous is null then r.fired_at else ${now}::timestamptz end
      from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ from }) => from)}::numeric[],
        ${moved.map(({ to }) => to)}::numeric[]) as m (id, previous, value)
      where r.id = m.id and r.value_usd is not distinct from m.previous
      returning r.*, m.previous
    )
    insert into event_sources (kind, account_id, payload)
    select kind, account_id, jsonb_build_object('endpointId', endpoint_id, 'data', jsonb_build_object(
        'alertId', id, 'portfolioId', subject, 'valueUsd', value_usd, 'previousValueUsd', previous,
        'changePercent', round((value_usd - previous) / nullif(abs(previous), 0) * 100, 4), 'rule', rule))
    from moved where previous is not null order by created_at, id`.execute(db)
}
