import type { Selectable } from 'kysely'
import type { Db } from '../schema.ts'
import { markBookDirty } from '../pnl/books.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import { recomputePortfolio } from './commands.ts'
import { lockPortfolio } from './lock-portfolio.ts'
import { order } from './operator.ts'
import type { ManualTransaction } from './tables.ts'

// Operator corrections of manual transactions. Figures follow from the day of each change on.

export function listTransactions(db: Db, { portfolioId }: { portfolioId: string }) {
  return db
    .selectFrom('manual_transactions')
    .select(['id', 'at', 'coin_id', 'count', 'price', 'currency', 'price_usd', 'note'])
    .where('portfolio_id', '=', portfolioId)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/**
 * Moves it to another instant, another portfolio of the same account, or both. False: the transaction or the
 * portfolio does not exist.
 */
export function moveTransaction(
  db: Db,
  input: { id: string; at?: Date | undefined; portfolioId?: string | undefined },
): Promise<boolean> {
  const { id, at, portfolioId } = input
  return correct(db, id, async (trx, row) => {
    const owner = await trx
      .selectFrom('portfolios')
      .select('account_id')
      .where('id', '=', row.portfolio_id)
      .executeTakeFirstOrThrow()
    const target = portfolioId ?? row.portfolio_id
    if (target !== row.portfolio_id) {
      const found = await trx
        .selectFrom('portfolios')
        .select('id')
        .where('id', '=', target)
        .where('kind', '=', 'manual')
        .where('account_id', '=', owner.account_id)
        .executeTakeFirst()
      if (!found) return false
    }
    await trx
      .updateTable('manual_transactions')
      .set({ at: at ?? row.at, portfolio_id: target, derived: false })
      .where('id', '=', id)
      .execute()
    if (target !== row.portfolio_id) await order(trx, recomputePortfolio(target))
    return true
  })
}

/** Splits `count` off into a new transaction at the same instant and price. False: it has less than that. */
export function splitTransaction(db: Db, input: { id: string; count: string; now: Date }): Promise<boolean> {
  const { id, count, now } = input
  return correct(db, id, async (trx, row) => {
    const { numUpdatedRows } = await trx
      .updateTable('manual_transactions')
      .set((eb) => ({ count: eb('count', '-', count), derived: false }))
      .where('id', '=', id)
      .where((eb) => eb(eb.fn('sign', [eb('count', '-', count)]), '=', eb.fn('sign', ['count'])))
      .where((eb) => eb(eb.fn('sign', [eb.cast(eb.val(count), 'numeric')]), '=', eb.fn('sign', ['count'])))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx
      .insertInto('manual_transactions')
      .values({ ...row, id: uuidV7(now.getTime()), count, derived: false })
      .execute()
    return true
  })
}

export function deleteTransaction(db: Db, { id }: { id: string }): Promise<boolean> {
  return correct(db, id, async (trx) => {
    await trx.deleteFrom('manual_transactions').where('id', '=', id).execute()
    return true
  })
}

/** Changes one transaction and marks figures dirty from its old instant; pricing marks the new one. */
function correct(
  db: Db,
  id: string,
  work: (trx: Db, row: Selectable<ManualTransaction>) => Promise<boolean>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const read = trx.selectFrom('manual_transactions').selectAll().where('id', '=', id)
    const found = await read.executeTakeFirst()
    if (!found || !(await lockPortfolio(trx, { portfolioId: found.portfolio_id }))) return false
    const row = await read.executeTakeFirst()
    if (row?.portfolio_id !== found.portfolio_id || !(await work(trx, row))) return false
    await markBookDirty({ db: trx, book: { portfolioId: row.portfolio_id }, from: row.at, to: row.at })
    await order(trx, recomputePortfolio(row.portfolio_id))
    return true
  })
}
