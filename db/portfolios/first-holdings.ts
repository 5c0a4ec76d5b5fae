import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'
import { add, type Decimal, decimal, fromRaw, ZERO } from '../values/decimal.ts'
import { fiatCoinId } from '../values/coins.ts'

/** Balances of portfolios by coin, for portfolios whose history is not complete. */
export async function readFirstHoldings(
  db: ReadonlyDb,
  portfolioIds: readonly string[],
): Promise<Map<string, Decimal>> {
  if (portfolioIds.length === 0) return new Map()
  const rows = await readSql(
    db,
    sql<{ coinId: string | null; currency: string | null; amount: string; decimals: number | null }>`
      select balance.coin_id as "coinId", null as currency, balance.raw as amount, balance.decimals::integer
      from portfolios as portfolio
      join wallets as wallet on wallet.address = portfolio.address
      join balances as balance on balance.wallet_id = wallet.id and balance.network_id = portfolio.network_id
      left join tokens as token on token.network_id = balance.network_id and token.address = balance.token_address
      where portfolio.id = any(${[...portfolioIds]}::uuid[]) and balance.raw > 0 and balance.decimals is not null
        and token.spam_reason is null
      union all
      select asset.coin_id, asset.currency, balance.amount, null
      from exchange_balances as balance
      join exchange_connections as connection on connection.id = balance.connection_id
      join exchange_assets as asset on asset.venue = connection.venue and asset.asset = balance.asset
      where balance.connection_id = any(${[...portfolioIds]}::uuid[]) and balance.amount > 0
        and (asset.coin_id is not null or asset.currency is not null)
      order by 1, 2, 3`,
  )
  const amounts = new Map<string, Decimal>()
  for (const { coinId, currency, amount, decimals } of rows) {
    const id = coinId ?? fiatCoinId(currency!)
    const count = decimals === null ? decimal(amount) : fromRaw(BigInt(amount), decimals)
    amounts.set(id, add(amounts.get(id) ?? ZERO, count))
  }
  return amounts
}
