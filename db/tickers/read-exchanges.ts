import type { ReadonlyDb } from '../schema.ts'
import type { TickerExchange } from './tables.ts'

export type ExchangeRow = Pick<
  TickerExchange,
  'id' | 'name' | 'icon' | 'url' | 'volume_24h_usd' | 'volume_7d_usd' | 'volume_30d_usd' | 'change_24h' | 'at'
> & { rank: number }

/** The listed exchanges by volume. */
export async function readExchanges(db: ReadonlyDb): Promise<ExchangeRow[]> {
  const rows = await db
    .selectFrom('ticker_exchanges')
    .select(['id', 'name', 'icon', 'url', 'rank', 'volume_24h_usd', 'volume_7d_usd', 'volume_30d_usd'])
    .select(['change_24h', 'at'])
    .where('rank', 'is not', null)
    .orderBy('rank')
    .execute()
  return rows.map((row) => ({ ...row, rank: row.rank! }))
}

/**
 * Finds an exchange by name or id, in any case; the largest if several match. `tickersAt`: when its markets
 * were read.
 */
export async function readExchange(
  db: ReadonlyDb,
  nameOrId: string,
): Promise<{ id: string; tickersAt: Date | null } | undefined> {
  const name = nameOrId.toLowerCase()
  return db
    .selectFrom('ticker_exchanges')
    .select(['id', 'tickers_at as tickersAt'])
    .where((where) =>
      where.or([where(where.fn<string>('lower', ['name']), '=', name), where('id', '=', name)]),
    )
    .orderBy('rank', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}
