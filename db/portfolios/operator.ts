import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Command } from '../metering/meter.ts'
import { markAccountDirty } from '../pnl/mark-dirty.ts'
import type { CostMethod } from '../values/cost-methods.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import { refreshAccount, removePortfolio } from './commands.ts'
import { lockPortfolio } from './lock-portfolio.ts'
import type { PortfolioRow } from './tables.ts'
import type { PortfolioWrite } from './portfolio-write.ts'

// Operator commands, run with the rights of the database's owner. What follows from them is done by the worker.

export function listPortfolios(db: Db, { accountId }: { accountId: string }) {
  return db
    .selectFrom('portfolios')
    .select(['id', 'kind', 'name', 'address', 'network_id', 'cost_method', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Null: there is no such portfolio. */
export async function kindOf(db: Db, id: string): Promise<PortfolioRow['kind'] | null> {
  const row = await db.selectFrom('portfolios').select('kind').where('id', '=', id).executeTakeFirst()
  return row?.kind ?? null
}

/** A portfolio whose transactions are stated by hand. */
export async function createPortfolio(
  db: Db,
  { accountId, name, now }: { accountId: string; name: string; now: Date },
): Promise<{ portfolioId: string }> {
  const id = uuidV7(now.getTime())
  await db
    .insertInto('portfolios')
    .values({ id, account_id: accountId, kind: 'manual', name, address: null, network_id: null })
    .execute()
  return { portfolioId: id }
}

/** False: there is no such portfolio. As the API does it. */
export async function renamePortfolio(db: Db, { id, name }: { id: string; name: string }): Promise<boolean> {
  return change(db, id, async (trx, accountId) => apply(trx, accountId, { kind: 'rename', id, name }))
}

export async function deletePortfolio(db: Db, { id }: { id: string }): Promise<boolean> {
  return change(db, id, async (trx, accountId) => {
    await apply(trx, accountId, { kind: 'remove', id })
    await order(trx, removePortfolio({ accountId, portfolioId: id }))
  })
}

/** How the lots of a portfolio are matched with its sales from now on, in its whole history. */
export async function setCostMethod(
  db: Db,
  { id, method }: { id: string; method: CostMethod },
): Promise<boolean> {
  return change(db, id, async (trx, accountId) => {
    await trx.updateTable('portfolios').set({ cost_method: method }).where('id', '=', id).execute()
    await markAccountDirty(trx, accountId)
    await order(trx, refreshAccount(accountId))
  })
}

/** The same for all portfolios of an account together. */
export async function setAccountCostMethod(
  db: Db,
  { accountId, method }: { accountId: string; method: CostMethod },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ cost_method: method }).where('id', '=', accountId).execute()
    await markAccountDirty(trx, accountId)
    await order(trx, refreshAccount(accountId))
  })
}

/** Of a portfolio that is held meanwhile; false: there is none. */
async function change(
  db: Db,
  portfolioId: string,
  work: (trx: Db, accountId: string) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await lockPortfolio(trx, { portfolioId })
    if (found) await work(trx, found.accountId)
    return found !== null
  })
}

async function apply(db: Db, accountId: string, write: PortfolioWrite): Promise<void> {
  await sql`select apply_portfolio_writes(${accountId}, ${JSON.stringify([write])})`.execute(db)
}

/** Has the worker do what follows, once the change has committed. */
export async function order(db: Db, command: Command): Promise<void> {
  const { workflow, workflowId, input, signal = null } = command
  await db
    .insertInto('outbox')
    .values({ workflow, workflow_id: workflowId, input: JSON.stringify(input), dispatched_at: null, signal })
    .execute()
}
