import { sql } from 'kysely'
import type pg from 'pg'
import { foldChanges } from '../../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../../activities/pnl/recompute-books.ts'
import { settleScopes } from '../../../activities/pnl/settle-scopes.ts'
import { type BookKey, markBookDirty, openBook } from '../../../db/pnl/books.ts'
import { type Change, lockScopes } from '../../../db/pnl/scopes.ts'
import type { Db } from '../../../db/schema.ts'
import { transact } from '../../../db/transact.ts'
import { FIRST_WALLET } from '../read/seed.ts'

const PORTFOLIOS = 10
/** Wallets; the rest are manual. */
const WALLETS = 8
const COINS_EACH = 20
export const OF_PORTFOLIO_WALLET = `0x${FIRST_WALLET.toString(16).padStart(40, '0')}`

/**
 * Gives an account ten portfolios over two years, eight wallets of `seedRead` and two manual ones, each with 20 of
 * the coins of `seedCoins`, and computes them. Adds prices of the latest hours and rates of the euro.
 */
export async function seedPortfolios(
  { db, pool }: { db: Db; pool: pg.Pool },
  { accountId, transactions }: { accountId: string; transactions: number },
): Promise<void> {
  const nowMs = Date.now()
  await sql`insert into price_hours (coin_id, at, usd, source, fetched_at)
    select 'coin-' || coin, date_trunc('hour', now()) - hour * interval '1 hour', 1 + (coin * 31 + hour * 7) % 1000, 'bench', now()
    from generate_series(1, 100) as coin, generate_series(0, 72) as hour`.execute(db)
  await sql`insert into fx_rates (currency, at, per_usd, source, fetched_at)
    select 'EUR', date_trunc('day', now(), 'UTC') - day * interval '1 day', 0.9, 'bench', now()
    from generate_series(0, 800) as day`.execute(db)
  const fold = (change: Change) => foldChanges({ db, pool, change, nowMs })
  const coin = (n: string, portfolio: number) =>
    sql.raw(`'coin-' || (1 + ${portfolio} * 5 + ${n} % ${COINS_EACH})`)
  const at = sql`date_trunc('milliseconds', now() - n * interval '725 days' / ${sql.lit(transactions)})`
  const numbers = sql`generate_series(1, ${sql.lit(transactions)}) as n`
  for (let portfolio = 0; portfolio < PORTFOLIOS; portfolio++) {
    const isWallet = portfolio < WALLETS
    const address = `0x${(FIRST_WALLET + portfolio).toString(16).padStart(40, '0')}`
    const { rows } = await sql<{ id: string; wallet_id: string | null }>`
      insert into portfolios (id, account_id, kind, name, address, network_id)
      select gen_random_uuid(), ${accountId}::uuid, ${isWallet ? 'wallet' : 'manual'}, ${`Portfolio ${portfolio}`},
        ${isWallet ? address : null}, ${isWallet ? 'ethereum' : null}
      returning id, (select id from wallets where address = ${address}) as wallet_id`.execute(db)
    const { id: portfolioId, wallet_id } = rows[0]!
    const key: BookKey = isWallet ? { walletId: wallet_id!, networkId: 'ethereum' } : { portfolioId }
    if (isWallet)
      await sql`insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role,
          coin_id, raw, decimals, price_usd, source, fetched_at)
        select ${wallet_id}::bigint, 'ethereum', ${at}, n, '0x' || md5(n::text), 0, '0x' || md5(n || ${address}::text), 0,
          'transfer', ${coin('n', portfolio)}, case n % 4 when 0 then -1 else 1 end * (1 + n % 9) * 1e17, 18, 5, 'bench', now()
        from ${numbers}`.execute(db)
    else
      await sql`insert into manual_transactions (id, portfolio_id, at, coin_id, count, price, currency, price_usd, derived,
          source, fetched_at)
        select gen_random_uuid(), ${portfolioId}::uuid, ${at}, ${coin('n', portfolio)},
          case n % 4 when 0 then -1 else 1 end * (1 + n % 9) * 0.1, 5, 'USD', 5, true, 'bench', now()
        from ${numbers}`.execute(db)
    if (isWallet)
      await sql`insert into defi_reads (wallet_id, network_id, block_number, block_hash, block_at, complete_at, source, fetched_at)
        values (${wallet_id}, 'ethereum', 1, '0x', now(), now(), 'bench', now())`.execute(db)
    await markBookDirty({ db, book: key, from: new Date(0) })
    await recomputeBook({ pool, book: key, nowMs })
    await fold({ bookId: (await openBook(db, key)).id })
  }
  await sql`select mark_account_dirty(${accountId})`.execute(db)
  await transact(pool, async (transaction) =>
    settleScopes({
      db: transaction.db,
      scopes: await lockScopes(transaction.db, { accountId }),
      fromMs: Infinity,
    }),
  )
  await fold({ accountId })
}
