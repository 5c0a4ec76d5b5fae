import { userInfo } from 'node:os'
import { endSessionsOf } from '../../db/account/sessions.ts'
import { listIdentities } from '../../db/metering/operator-read.ts'
import { appointOperator } from '../../db/console/accounts.ts'
import { doNoted } from '../../db/console/note-action.ts'
import { linkIdentity, unlinkIdentity } from '../../db/metering/write.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRecord, printRows } from '../print.ts'
import type { IDENTITIES } from '../specs/accounts.ts'

export async function run(given: Given<typeof IDENTITIES>): Promise<number> {
  const operator = userInfo().username
  switch (given.action) {
    case 'list':
      printRows(await withOperatorDatabase(listIdentities), given)
      return 0
    case 'link': {
      const { account, subject } = given
      const issuer = issuerOf(given)
      await withAccount(account, (db, accountId) =>
        doNoted(db, { operator, action: 'link a user with an account', subject }, () =>
          linkIdentity(db, { issuer, subject, accountId }),
        ),
      )
      if (given.json) printRecord({ issuer, subject, account }, given)
      else console.log(`${subject} of ${issuer} can open ${account}`)
      return 0
    }
    case 'operator': {
      const { subject, state } = given
      const issuer = issuerOf(given)
      const isOperator = state === 'on'
      await withOperatorDatabase((db) => appointOperator(db, { issuer, subject, isOperator, operator }))
      if (given.json) printRecord({ issuer, subject, isOperator }, given)
      else console.log(`${subject} of ${issuer} ${state === 'on' ? 'can see' : 'cannot see'} the console`)
      return 0
    }
    case 'sign-out': {
      const { subject } = given
      const issuer = issuerOf(given)
      const ended = await withOperatorDatabase((db) =>
        doNoted(db, { operator, action: 'sign a user out', subject }, () =>
          endSessionsOf(db, { issuer, subject }),
        ),
      )
      if (given.json) printRecord({ issuer, subject, ended }, given)
      else console.log(`${ended} ${ended === 1 ? 'session' : 'sessions'} of ${subject} of ${issuer} ended`)
      return 0
    }
    case 'unlink': {
      const key = { issuer: issuerOf(given), subject: given.subject }
      const noted = { operator, action: 'unlink a user', subject: given.subject }
      const unlinked = await withOperatorDatabase((db) => doNoted(db, noted, () => unlinkIdentity(db, key)))
      if (given.json) printRecord({ ...key, unlinked }, given)
      else
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
