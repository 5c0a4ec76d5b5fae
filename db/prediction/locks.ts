import type { Transaction } from '../transact.ts'

// The workflows of all venues write shared results, one at a time: a lock lasts until the end of the
// transaction.

export const lockSummary = (transaction: Transaction): Promise<void> =>
  lock(transaction, 'prediction summary')
export const lockMatches = (transaction: Transaction): Promise<void> =>
  lock(transaction, 'prediction matches')

async function lock({ client }: Transaction, name: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('${name}'))`)
}
