import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Counts what decides how many requests coins take. `describer` describes coins, `pricer` prices tokens. */
export async function countForPlan(db: Db, { describer, pricer }: { describer: string; pricer: string }) {
  const { rows } = await sql<
    Record<
      'coins' | 'tokens priced by contract' | 'coins without a description' | 'coins without a past',
      number
    >
  >`
    select count(*)::int as coins,
      (select count(*)::int from coin_contracts where source = ${pricer}) as "tokens priced by contract",
      count(*) filter (where categories = '{}' and explorers = '{}' and website_url is null
        and exists (select from coin_mappings m where m.coin_id = c.id and m.source = ${describer}))::int
        as "coins without a description",
      count(*) filter (where exists (select from coin_mappings m where m.coin_id = c.id)
        and not exists (select from price_histories h where h.coin_id = c.id and h.resolution = 'day'))::int
        as "coins without a past"
    from coins c where delisted_at is null`.execute(db)
  return rows[0]!
}
