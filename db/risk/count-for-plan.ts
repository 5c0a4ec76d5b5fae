import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { ADDRESS_PATTERN, RISK_CHAINS } from './chains.ts'

/** Counts the tokens that are checked: contracts of listed coins, and those that were asked for. */
export async function countForPlan(
  db: Db,
): Promise<Record<'tokens on EVM networks' | 'tokens on Solana', number>> {
  const { rows } = await sql<Awaited<ReturnType<typeof countForPlan>>>`
    select count(*) filter (where blockchain <> 'solana')::int as "tokens on EVM networks",
      count(*) filter (where blockchain = 'solana')::int as "tokens on Solana"
    from (
      select k.blockchain, k.address from coin_contracts k join coins c on c.id = k.coin_id
      where c.delisted_at is null and k.address ~ ${ADDRESS_PATTERN}
      union
      select blockchain, address from token_risks
    ) known where blockchain = any(${[...RISK_CHAINS]}::text[])`.execute(db)
  return rows[0]!
}
