import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { fiatCoinId } from '../values/coins.ts'
import type { Portfolio } from './read-portfolios.ts'

/** Where the transactions of a portfolio are stored. Exactly one kind of owner is set. */
export interface Ledger {
  /** the name in `transaction_days` */
  name: string
  walletId: string | null
  networkId: string | null
  connectionId: string | null
  portfolioId: string | null
  /** names of the wanted coin in this ledger: '' for all transactions, empty when the coin is unknown */
  coins: string[]
}

const NOBODY = { walletId: null, networkId: null, connectionId: null, portfolioId: null }

/** The ledgers of portfolios, in their order. A wallet of which nothing was read has an empty one. */
export async function ledgersOf(
  db: ReadonlyDb,
  { portfolios, coinId }: { portfolios: readonly Portfolio[]; coinId?: string | undefined },
): Promise<Ledger[]> {
  const assets = coinId === undefined ? new Map<string, string[]>() : await assetsOf(db, coinId)
  return portfolios.map((portfolio): Ledger => {
    const coins = [coinId ?? '']
    switch (portfolio.kind) {
      case 'wallet': {
        const { walletId, networkId } = portfolio
        const name = `${walletId}:${networkId}`
        return { ...NOBODY, name, walletId, networkId, coins: walletId === null ? [] : coins }
      }
      case 'exchange': {
        const named = coinId === undefined ? coins : (assets.get(portfolio.venue) ?? [])
        return { ...NOBODY, name: portfolio.id, connectionId: portfolio.id, coins: named }
      }
      case 'manual':
        return { ...NOBODY, name: portfolio.id, portfolioId: portfolio.id, coins }
    }
  })
}

/** Asset names of a coin or currency by exchange. An asset that is neither is found by its own name. */
async function assetsOf(db: ReadonlyDb, coinId: string): Promise<Map<string, string[]>> {
  const rows = await readSql(
    db,
    sql<{ venue: string; assets: string[] }>`
      select venue, array_agg(asset order by asset) as assets from exchange_assets
      where coin_id = ${coinId} or ${fiatCoinId('')} || currency = ${coinId}
        or (asset = ${coinId} and coin_id is null and currency is null)
      group by venue`,
  )
  return new Map(rows.map(({ venue, assets }) => [venue, assets]))
}
