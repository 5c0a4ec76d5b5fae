import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'

export interface NamedCoin {
  id: string
  symbol: string
  name: string
}

/** Coins by id, and the best ranked coin of each symbol, by its upper-case symbol. */
export interface BestCoins {
  byId: Map<string, NamedCoin>
  bySymbol: Map<string, NamedCoin>
}

/** Finds what people mean by a text: the coin with that id, or the best ranked coin with that symbol. */
export async function bestCoins(db: ReadonlyDb, names: readonly string[]): Promise<BestCoins> {
  const wanted = [...new Set(names)]
  const rows = await readSql(
    db,
    sql<NamedCoin & { isSymbol: boolean }>`
      select id, symbol, name, false as "isSymbol" from coins where id = any(${wanted}::text[])
      union all
      select best.id, best.symbol, best.name, true
      from (select distinct upper(asked.name) as symbol from unnest(${wanted}::text[]) as asked (name)) as wanted
      cross join lateral (
        select id, symbol, name from coins where upper(symbol) = wanted.symbol and rank is not null
        order by rank, id limit 1
      ) as best`,
  )
  return {
    byId: new Map(rows.filter(({ isSymbol }) => !isSymbol).map((coin) => [coin.id, coin])),
    bySymbol: new Map(
      rows.filter(({ isSymbol }) => isSymbol).map((coin) => [coin.symbol.toUpperCase(), coin]),
    ),
  }
}

/** The coins with the best ranks. */
export async function readTopCoins(db: ReadonlyDb, limit: number): Promise<NamedCoin[]> {
  return db
    .selectFrom('coins')
    .select(['id', 'symbol', 'name'])
    .where('rank', 'is not', null)
    .orderBy('rank')
    .limit(limit)
    .execute()
}

/** The best ranked coin of each contract, on any network, by lower-case address. */
export async function readCoinsOfContracts(
  db: ReadonlyDb,
  addresses: readonly string[],
): Promise<Map<string, NamedCoin>> {
  if (addresses.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<NamedCoin & { address: string }>`
      select distinct on (lower(contract.address)) lower(contract.address) as address, coins.id, symbol, name
      from coin_contracts as contract join coins on coins.id = contract.coin_id
      where lower(contract.address) = any(${[...new Set(addresses)]}::text[])
      order by lower(contract.address), rank nulls last, coins.id`,
  )
  return new Map(rows.map((row) => [row.address, row]))
}
