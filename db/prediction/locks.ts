import type { Transaction } from '../transact.ts'

// The venues' workflows meet where they make something of both: one at a time, until the end of its transaction.

export const lockSummary = (transaction: Transaction): Promise<void> =>
  lock(transaction, 'prediction summary')
export const lockMatches = (transaction: Transaction): Promise<void> =>
  lock(transaction, 'prediction matches')

async function lock({ client }: Transaction, name: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('${name}'))`)
}
