import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { RISK_CHAINS, type RiskToken } from './chains.ts'

/**
 * Contracts that were last checked before an instant, or never: those of listed coins and those that somebody asked
 * for. New ones come first, by the rank of their coin, then those that waited longest.
 */
export async function readDueTokens(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<RiskToken[]> {
  const { rows } = await sql<RiskToken>`
    select blockchain, address
    from (
      select k.blockchain, k.address, c.rank from coin_contracts k join coins c on c.id = k.coin_id
      where c.delisted_at is null and k.blockchain = any(${[...RISK_CHAINS]}::text[])
        and k.address ~ '^0x[0-9a-f]{40}$'
    ) known full join token_risks risk using (blockchain, address)
    where risk.checked_at is null or risk.checked_at < ${before}
    order by risk.checked_at nulls first, known.rank nulls last, blockchain, address
    limit ${limit}`.execute(db)
  return rows
}

/** Whether there is any contract to check. On a first start the coins may come later than this question. */
export async function knowsContracts(db: Db): Promise<boolean> {
  const row = await db.selectFrom('coin_contracts').select('address').limit(1).executeTakeFirst()
  return row !== undefined
}
