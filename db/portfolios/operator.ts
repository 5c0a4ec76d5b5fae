import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { Command } from '../metering/meter.ts'
import { markAccountDirty } from '../pnl/books.ts'
import type { CostMethod } from '../pnl/lots/lot-pool.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import { refreshAccount, removePortfolio } from './commands.ts'
import { lockPortfolio } from './lock-portfolio.ts'
import type { PortfolioRow } from './tables.ts'
import type { PortfolioWrite } from './portfolio-write.ts'

// Operator commands, run with the rights of the database's owner. The worker does the work that follows.

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

/** Creates a manual portfolio. */
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

/** Renames a portfolio as the API does. False: there is no such portfolio. */
export async function renamePortfolio(db: Db, { id, name }: { id: string; name: string }): Promise<boolean> {
  return change(db, id, async (trx, accountId) => apply(trx, accountId, { kind: 'rename', id, name }))
}

export async function deletePortfolio(db: Db, { id }: { id: string }): Promise<boolean> {
  return change(db, id, async (trx, accountId) => {
    await apply(trx, accountId, { kind: 'remove', id })
    await order(trx, removePortfolio({ accountId, portfolioId: id }))
  })
}

/** Sets the cost method of a portfolio, for its whole history. False: there is no such portfolio. */
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

/** Sets the cost method of an account, for all its portfolios combined. */
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

/** Runs `work` with the portfolio locked. False: there is no such portfolio. */
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

/** Orders a workflow, which the worker starts once the change has committed. */
export async function order(db: Db, command: Command): Promise<void> {
  const { workflow, workflowId, input, signal = null } = command
  await db
    .insertInto('outbox')
    .values({ workflow, workflow_id: workflowId, input: JSON.stringify(input), dispatched_at: null, signal })
    .execute()
}
