import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/**
 * Returns the coin ids that belong to spam tokens: '<address>_<blockchain>' if the token is not a known coin.
 */
export async function readSpam(db: ReadonlyDb, coinIds: readonly string[]): Promise<Set<string>> {
  if (coinIds.length === 0) return new Set()
  const rows = await readSql(
    db,
    sql<{ id: string }>`
      select asked.id from unnest(${[...coinIds]}::text[]) as asked (id)
      join networks as network on right(asked.id, length(network.blockchain) + 1) = '_' || network.blockchain
      join tokens as token on token.network_id = network.id
        and token.address = left(asked.id, -length(network.blockchain) - 1) and token.coin_id = asked.id
      where token.spam_reason is not null`,
  )
  return new Set(rows.map(({ id }) => id))
}
