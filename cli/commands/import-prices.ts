import { storePrices } from '../../db/prices/write.ts'
import { transact, type Transaction } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone } from '../print.ts'
import { type PriceLine, readPriceFile } from '../read-price-file.ts'
import { showProblems } from '../show-problems.ts'
import type { IMPORT } from '../specs/data.ts'

/** Imports the prices of a file: all lines, or none and prints the problems. */
export function run(given: Given<typeof IMPORT>): Promise<number> {
  return withOperatorDatabase((_, pool) => transact(pool, (transaction) => importFile(transaction, given)))
}

async function importFile(transaction: Transaction, given: Given<typeof IMPORT>): Promise<number> {
  const coins = await transaction.db.selectFrom('coins').select('id').execute()
  const { lines, problems } = await readPriceFile(given.file, new Set(coins.map((coin) => coin.id)))
  if (problems.length > 0) {
    showProblems(problems)
    return 1
  }
  const hours = await store(transaction, 'hour', lines)
  const days = await store(
    transaction,
    'day',
    lines.filter(({ at }) => at.getTime() % DAY_MS === 0),
  )
  printDone(
    { lines: lines.length, hours, days },
    `${lines.length} lines: ${hours} hourly and ${days} daily points new or changed`,
    given,
  )
  return 0
}

async function store(
  transaction: Transaction,
  resolution: 'hour' | 'day',
  lines: PriceLine[],
): Promise<number> {
  const points = lines.map((line) => ({ ...line, source: 'csv' }))
  return storePrices(transaction, { resolution, points, histories: [], fetchedAt: new Date() })
}
