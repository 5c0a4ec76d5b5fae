import { expect } from 'vitest'
import { foldChanges } from '../../activities/pnl/fold-scope.ts'
import { settleScopes } from '../../activities/pnl/settle-scopes.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { type BookKey, openBook } from '../../db/pnl/books.ts'
import type { BookSet } from '../../db/pnl/books.ts'
import { findFold } from '../../db/pnl/lots/folds.ts'
import { lockScopes } from '../../db/pnl/scopes.ts'
import { transact } from '../../db/transact.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { readCoins } from '../../db/pnl/lots/read-coins.ts'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { add, subtract, sum, toNumber, ZERO } from '../../db/values/decimal.ts'

/** Folds the dirty folds of a book, as the activity does after a recompute. */
export async function foldBook(input: {
  connection: Pick<Connection<Db>, 'db' | 'pool'>
  book: BookKey
  nowMs: number
}): Promise<void> {
  const { db, pool } = input.connection
  const { id: bookId } = await openBook(db, input.book)
  await foldChanges({ db, pool, change: { bookId }, nowMs: input.nowMs })
}

/** Matches and folds an account after a change of its portfolios, as the activity does. */
export async function refreshAccount(input: {
  connection: Pick<Connection<Db>, 'db' | 'pool'>
  accountId: string
  nowMs: number
}): Promise<void> {
  const { accountId, nowMs } = input
  const { db, pool } = input.connection
  await transact(pool, async (own) =>
    settleScopes({ db: own.db, scopes: await lockScopes(own.db, { accountId }), fromMs: Infinity }),
  )
  await foldChanges({ db, pool, change: { accountId }, nowMs })
}

/** Expects realised plus unrealised profit of all coins to be the last value less all flows, in each unit. */
export async function expectLawThree({
  db,
  nowMs,
  ...set
}: BookSet & {
  db: ReadonlyDb
  nowMs: number
  method?: CostMethod
}): Promise<{ coins: number; profitUsd: number }> {
  const foldId = await findFold(db, set)
  const coins = await readCoins(db, { foldId: foldId!, nowMs })
  const profits = { usd: 0, btc: 0, eth: 0 }
  for (const unit of ['usd', 'btc', 'eth'] as const) {
    const currency = unit.toUpperCase()
    const window = { interval: 'yearly', fromMs: null, toMs: nowMs, currency } as const
    const periods = (await readPlPeriods({ db, ...set, ...window }))!
    const flows = sum(periods.map((period) => period.flow))
    const history = subtract(periods.at(-1)?.closing ?? ZERO, flows)
    const byCoins = sum(coins.map(({ item }) => item[unit].profit.allTime))
    const parts = sum(coins.map(({ item }) => add(item[unit].profit.realized, item[unit].profit.unrealized)))
    expect(toNumber(parts)).toBe(toNumber(byCoins))
    expect(
      Math.abs(toNumber(subtract(byCoins, history))),
      `${currency} of ${coins.length} coins`,
    ).toBeLessThan(1e-15)
    profits[unit] = toNumber(byCoins)
  }
  return { coins: coins.length, profitUsd: profits.usd }
}
