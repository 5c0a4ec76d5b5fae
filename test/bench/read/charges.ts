import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { BenchPostgres } from '../shared/bench-postgres.ts'

const run = promisify(execFile)
const PROCESSES = 4

/** Credits spent by an account, by its balance and by its ledger. */
export interface Spent {
  posted: number
  credits: number
  rows: number
}

export async function readSpent(owner: pg.Pool, accountId: string): Promise<Spent> {
  const { rows } = await owner.query<Record<keyof Spent, string>>(
    `select (select coalesce(sum(posted), 0) from credit_periods where account_id = $1) as posted,
       coalesce(sum(credits), 0) as credits, count(*) as rows from ledger_entries where account_id = $1`,
    [accountId],
  )
  const { posted, credits, rows: entries } = rows[0]!
  return { posted: Number(posted), credits: Number(credits), rows: Number(entries) }
}

/**
 * Checks that the balance changed by the cost of the requests, and that the ledger has every answered request
 * and at most those in flight besides. Throws otherwise, which voids the ratio.
 */
export function checkCharges(
  before: Spent,
  after: Spent,
  expected: { answered: number; inFlight: number; cost: number },
): void {
  const rows = after.rows - before.rows
  const posted = after.posted - before.posted
  const { answered, inFlight, cost } = expected
  if (posted !== rows * cost || after.credits - before.credits !== posted)
    throw new Error(`${rows} charges of ${cost} moved the balance by ${posted}`)
  if (rows < answered || rows > answered + inFlight)
    throw new Error(`${answered} requests were answered and ${rows} charged`)
}

/** Charges per second on one account by 4 processes with 16 callers each. */
export async function chargesPerSecond(input: {
  way: 'group' | 'update'
  postgres: BenchPostgres
  owner: pg.Pool
  accountId: string
  seconds: number
}): Promise<number> {
  const { way, postgres, owner, accountId, seconds } = input
  const before = await readSpent(owner, accountId)
  const args = [way, postgres.roleUrl('meter'), postgres.ownerUrl, accountId, String(seconds)]
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const file = join(import.meta.dirname, 'charge-process.ts')
      const { stdout } = await run(process.execPath, [file, ...args])
      return JSON.parse(stdout) as { charged: number; perSecond: number }
    }),
  )
  const charged = results.reduce((sum, result) => sum + result.charged, 0)
  const after = await readSpent(owner, accountId)
  if (after.posted - before.posted !== charged * 30)
    throw new Error(`${charged} charges moved the balance by ${after.posted - before.posted}`)
  if (way === 'group') checkCharges(before, after, { answered: charged, inFlight: 0, cost: 30 })
  return results.reduce((sum, result) => sum + result.perSecond, 0)
}
