import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { ADDRESS_PATTERN, type RiskChain, type RiskToken } from './chains.ts'

/**
 * Contracts on the given networks that were never checked or last checked before an instant: those of listed
 * coins and those that were requested. Unchecked ones come first, by the rank of their coin, then the longest
 * unchecked.
 */
export async function readDueTokens(
  db: Db,
  { chains, before, limit }: { chains: readonly RiskChain[]; before: Date; limit: number },
): Promise<RiskToken[]> {
  const { rows } = await sql<RiskToken>`
    select blockchain, address
    from (
      select k.blockchain, k.address, c.rank from coin_contracts k join coins c on c.id = k.coin_id
      where c.delisted_at is null and k.address ~ ${ADDRESS_PATTERN}
    ) known full join token_risks risk using (blockchain, address)
    where blockchain = any(${[...chains]}::text[]) and (risk.checked_at is null or risk.checked_at < ${before})
    order by risk.checked_at nulls first, known.rank nulls last, blockchain, address
    limit ${limit}`.execute(db)
  return rows
}
