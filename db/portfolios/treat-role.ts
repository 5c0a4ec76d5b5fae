import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { type BookKey, openBook } from '../pnl/books.ts'
import type { TreatedRole, Treatment } from '../pnl/legs/roles.ts'
import { exchangeSync, walletSync } from '../sync-commands.ts'
import { recomputePortfolio } from './commands.ts'
import { lockPortfolio } from './lock-portfolio.ts'
import { order } from './operator.ts'

/**
 * Makes the book of a portfolio treat amounts received for nothing as income or as a flow; null: the default.
 * Its whole history is recomputed. The book of a wallet is shared by all who follow the address. False: no
 * such portfolio.
 */
export async function treatRole(
  db: Db,
  input: { id: string; role: TreatedRole; treatment: Treatment | null; askedBy: string; now: Date },
): Promise<boolean> {
  const { role, treatment, askedBy: asked_by, now: asked_at } = input
  return db.transaction().execute(async (trx) => {
    const found = await ledgerOf(trx, input.id)
    if (!found) return false
    const { id: book_id } = await openBook(trx, found.book)
    await trx.deleteFrom('role_treatments').where('book_id', '=', book_id).where('role', '=', role).execute()
    if (treatment !== null)
      await trx
        .insertInto('role_treatments')
        .values({ book_id, role, treatment, asked_by, asked_at })
        .execute()
    // A running computation holds this row: it ends without the treatment, and the mark comes after it.
    await sql`update pl_states set dirty_from = 'epoch', legs_changed = true where book_id = ${book_id}`.execute(
      trx,
    )
    await order(trx, found.compute)
    return true
  })
}

/** Treatments of the book of a portfolio, with who asked for them and when. */
export async function listTreatments(db: Db, { id }: { id: string }) {
  return db
    .selectFrom('role_treatments as t')
    .innerJoin('portfolio_books as own', 'own.book_id', 't.book_id')
    .select(['t.role', 't.treatment', 't.asked_by', 't.asked_at'])
    .where('own.portfolio_id', '=', id)
    .orderBy('t.role')
    .execute()
}

/** The book of a portfolio, which stays locked, and the command that computes it. */
async function ledgerOf(db: Db, portfolioId: string) {
  if (!(await lockPortfolio(db, { portfolioId }))) return null
  const {
    kind,
    address,
    network_id: networkId,
    wallet_id: walletId,
  } = await db
    .selectFrom('portfolios as p')
    .leftJoin('wallets as w', 'w.address', 'p.address')
    .select(['p.kind', 'p.address', 'p.network_id', 'w.id as wallet_id'])
    .where('p.id', '=', portfolioId)
    .executeTakeFirstOrThrow()
  if (address !== null && networkId !== null) {
    if (walletId === null) return null
    return { book: { walletId, networkId } satisfies BookKey, compute: walletSync({ address, networkId }) }
  }
  return kind === 'exchange'
    ? { book: { connectionId: portfolioId }, compute: exchangeSync(portfolioId) }
    : { book: { portfolioId }, compute: recomputePortfolio(portfolioId) }
}
