import { revokeSessions } from '../../db/payments/revoked-sessions.ts'
import { CommandError } from '../command.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const USAGE = `sluice sessions revoke TRANSACTION|PAYER
Ends what was bought at the gateway until now: with one transaction (its hash), or by one payer (an address)`

export async function run([action, subject = '']: string[]): Promise<number> {
  if (action !== 'revoke' || !/^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(subject)) throw new CommandError(USAGE)
  await withOperatorDatabase((db) => revokeSessions(db, subject))
  console.log('revoked; within five seconds no gateway accepts it')
  return 0
}
