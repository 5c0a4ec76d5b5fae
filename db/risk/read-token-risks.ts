import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { ADDRESS_PATTERN, RISK_CHAINS, type RiskToken } from './chains.ts'

export interface StoredRisk extends RiskToken {
  /** false: the source does not know the token */
  known: boolean
  detected: string[]
  clear: string[]
  score: number | null
  marketEndorsed: boolean | null
  ownershipRenounced: boolean | null
  fetchedAt: Date
  checkedAt: Date
}

/** The stored results of the tokens, in no order. Tokens that were never checked are left out. */
export async function readTokenRisks(db: ReadonlyDb, tokens: readonly RiskToken[]): Promise<StoredRisk[]> {
  const blockchains = tokens.map(({ blockchain }) => blockchain)
  const addresses = tokens.map(({ address }) => address)
  return readSql(
    db,
    sql<StoredRisk>`
    select blockchain, address, known, detected, clear, score,
      market_endorsed as "marketEndorsed", ownership_renounced as "ownershipRenounced",
      fetched_at as "fetchedAt", checked_at as "checkedAt"
    from token_risks join unnest(${blockchains}::text[], ${addresses}::text[]) as asked (blockchain, address)
      using (blockchain, address)`,
  )
}

/** The contracts of a coin that can be checked, in the order of RISK_CHAINS; null: the coin is unknown. */
export async function readRiskTokens(db: ReadonlyDb, coinId: string): Promise<RiskToken[] | null> {
  const rows = await readSql(
    db,
    sql<RiskToken | { blockchain: null; address: null }>`
    select k.blockchain, k.address
    from coins c left join coin_contracts k
      on k.coin_id = c.id and k.blockchain = any(${[...RISK_CHAINS]}::text[]) and k.address ~ ${ADDRESS_PATTERN}
    where c.id = ${coinId}
    order by array_position(${[...RISK_CHAINS]}::text[], k.blockchain), k.address`,
  )
  return rows.length === 0 ? null : rows.filter((row): row is RiskToken => row.address !== null)
}
