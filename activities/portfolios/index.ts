import { lockPortfolio } from '../../db/portfolios/lock-portfolio.ts'
import { removeHistory, removePortfolio } from '../../db/portfolios/give-up.ts'
import { forgetReplaced } from '../../db/portfolios/forget-replaced.ts'
import { coinsToPrice, priceTransactions } from '../../db/portfolios/price-transactions.ts'
import { markAccountDirty, markBookDirty } from '../../db/pnl/books.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'

export interface PortfolioKey {
  portfolioId: string
}

export type PortfoliosActivities = ReturnType<typeof createPortfoliosActivities>

/** Work that follows from the writes of clients. Repeating any of it changes nothing. */
export function createPortfoliosActivities(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'config' | 'heartbeat'>,
) {
  const { db, pool, now, config, heartbeat } = deps
  return {
    /** Coins whose prices new transactions need, from the first transaction on; null: nothing is new. */
    async listManualCoins(key: PortfolioKey) {
      const found = await coinsToPrice(db, key)
      return found && { coinIds: found.coinIds, from: found.from.toISOString(), to: now().toISOString() }
    },

    /**
     * Prices new transactions and marks figures dirty from the first one on. False: the portfolio was
     * removed.
     */
    async priceManualTransactions(key: PortfolioKey): Promise<boolean> {
      return await transact(pool, async ({ db }) => {
        if (!(await lockPortfolio(db, key))) return false
        const from = await priceTransactions(db, key)
        if (from) await markBookDirty({ db, book: key, from })
        return true
      })
    },

    /** Marks the figures of an account as dirty after its portfolios changed. */
    async markAccount({ accountId }: { accountId: string }): Promise<void> {
      await markAccountDirty(db, accountId)
    },

    async removePortfolioRows(input: PortfolioKey & { accountId: string }): Promise<void> {
      while (await removeHistory(pool, input)) heartbeat()
      await removePortfolio(pool, input)
    },

    /** Deletes replaced rows that are older than `asOfDays`. Returns their number. */
    async forgetReplaced(): Promise<number> {
      const before = new Date(now().getTime() - config.asOfDays * DAY_MS)
      let gone = 0
      for (let batch = 1; batch > 0; gone += batch) {
        batch = await forgetReplaced(db, before)
        heartbeat()
      }
      return gone
    },
  }
}
