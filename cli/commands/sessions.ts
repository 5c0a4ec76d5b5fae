import { revokeSessions } from '../../db/payments/revoked-sessions.ts'
import { UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone } from '../print.ts'
import type { SESSIONS } from '../specs/money.ts'

export async function run(given: Given<typeof SESSIONS>): Promise<void> {
  const { subject } = given
  if (!/^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(subject))
    throw new UsageError(`give the hash of a transaction or an address, not "${subject}"`)
  await withOperatorDatabase((db) => revokeSessions(db, subject))
  printDone({ revoked: subject }, 'revoked; gateways stop accepting it within five seconds', given)
}
