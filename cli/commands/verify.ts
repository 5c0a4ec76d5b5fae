import type pg from 'pg'
import type { Db } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRows, toJson } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { VERIFY } from '../specs/watch.ts'
import type { Check } from '../verify/check.ts'
import { checkBalances } from '../verify/check-balances.ts'
import { checkCredits } from '../verify/check-credits.ts'
import { checkPnl } from '../verify/check-pnl.ts'

/** Returns exit code 1 when something differs. */
export function run(given: Given<typeof VERIFY>): Promise<number> {
  const { portfolio, sample, json } = given
  if (portfolio !== undefined && !isUuid(portfolio))
    throw new UsageError(
      `--portfolio must be the id of a portfolio, not "${portfolio}"; see "sluice portfolios list"`,
    )
  return withOperatorDatabase(async (db, pool) => {
    const checks = await runChecks({ db, pool, portfolioId: portfolio ?? null, sample })
    const differences = checks.flatMap((check) => check.differences)
    if (json) console.log(toJson(checks))
    else {
      printRows(
        checks.map(({ differences: found, ...check }) => ({ ...check, differ: found.length })),
        given,
      )
      for (const difference of differences) console.log(`DIFFERS  ${difference}`)
    }
    return differences.length === 0 ? 0 : 1
  })
}

async function runChecks(input: {
  db: Db
  pool: pg.Pool
  portfolioId: string | null
  sample: number
}): Promise<Check[]> {
  const { db, pool, portfolioId, sample } = input
  const progress = createProgress()
  const onProgress = (share: number) => progress.show(share, 'recomputing P&L')
  try {
    const pnl = { pool, portfolioId, sample, onProgress }
    if (portfolioId === null)
      return [await checkCredits(db), await checkBalances(db, null), ...(await checkPnl(pnl))]
    const found = await db
      .selectFrom('portfolios')
      .select(['kind', 'address', 'network_id'])
      .where('id', '=', portfolioId)
      .executeTakeFirst()
    if (!found) throw new CommandError(`no portfolio ${portfolioId}; see "sluice portfolios list"`)
    const wallet = found.kind === 'wallet' ? { address: found.address!, networkId: found.network_id! } : null
    return [...(wallet ? [await checkBalances(db, wallet)] : []), ...(await checkPnl(pnl))]
  } finally {
    progress.end()
  }
}
