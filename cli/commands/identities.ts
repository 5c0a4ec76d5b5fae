import { endSessionsOf } from '../../db/account/sessions.ts'
import { listIdentities } from '../../db/metering/operator-read.ts'
import { linkIdentity, setOperator, unlinkIdentity } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows } from '../print.ts'
import type { IDENTITIES } from '../specs/accounts.ts'

export async function run(given: Given<typeof IDENTITIES>): Promise<number> {
  switch (given.action) {
    case 'list':
      printRows(await withOperatorDatabase(listIdentities), given)
      return 0
    case 'link': {
      const { account, subject } = given
      const issuer = issuerOf(given)
      await withAccount(account, (db, accountId) => linkIdentity(db, { issuer, subject, accountId }))
      console.log(`${subject} of ${issuer} can open ${account}`)
      return 0
    }
    case 'operator': {
      const { subject, state } = given
      const issuer = issuerOf(given)
      await withOperatorDatabase((db) => setOperator(db, { issuer, subject, isOperator: state === 'on' }))
      console.log(`${subject} of ${issuer} ${state === 'on' ? 'can see' : 'cannot see'} the console`)
      return 0
    }
    case 'sign-out': {
      const { subject } = given
      const issuer = issuerOf(given)
      const ended = await withOperatorDatabase((db) => endSessionsOf(db, { issuer, subject }))
      console.log(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${subject} of ${issuer} ended`)
      return 0
    }
    case 'unlink': {
      const key = { issuer: issuerOf(given), subject: given.subject }
      const unlinked = await withOperatorDatabase((db) => unlinkIdentity(db, key))
      console.log(
        unlinked ? 'unlinked and signed out; its tokens stop working within 5 seconds' : 'no such identity',
      )
      return unlinked ? 0 : 1
    }
  }
}

function issuerOf({ issuer = operatorEnvironment()['OIDC_ISSUER'] }: { issuer: string | undefined }): string {
  if (!issuer) throw new CommandError('no OpenID provider: give --issuer URL, or set OIDC_ISSUER')
  return issuer
}
