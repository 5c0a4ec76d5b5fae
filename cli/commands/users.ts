import { userInfo } from 'node:os'
import {
  inviteUser,
  invitationUrl,
  isUserName,
  readUsers,
  resetUser,
  setUserEnabled,
} from '../../db/console/users.ts'
import type { Db } from '../../db/schema.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRecord, printRows } from '../print.ts'
import type { USERS } from '../specs/users.ts'

type Spec = typeof USERS

export async function run(given: Given<Spec>): Promise<void> {
  const operator = userInfo().username
  switch (given.action) {
    case 'list':
      return printRows(await withOperatorDatabase(readUsers), given)
    case 'invite':
      return invite(given, operator)
    case 'disable':
    case 'enable': {
      const { name } = given
      const enabled = given.action === 'enable'
      if (!(await withOperatorDatabase((db) => setUserEnabled(db, { name, enabled, operator }))))
        throw unknown(name)
      return console.log(enabled ? `${name} can sign in again` : `${name} is signed out and refused`)
    }
    case 'reset': {
      const { name } = given
      const issuer = ownIssuer()
      const token = await withOperatorDatabase((db) => resetUser(db, { name, operator }))
      if (token === null) throw unknown(name)
      return printRecord({ user: name, link: invitationUrl(issuer, token) }, given)
    }
  }
}

async function invite(given: GivenOf<Spec, 'invite'>, operator: string): Promise<void> {
  const { name, account, console: seesConsole } = given
  const issuer = ownIssuer()
  if (!isUserName(name))
    throw new CommandError(
      `"${name}" is no name of a user: give at most 64 small letters, digits and . _ @ + -, a letter or digit first`,
    )
  if (account === undefined && !seesConsole)
    throw new CommandError('the user would open nothing: give --account, --console or both')
  const add = (db: Db, accountId: string | null) =>
    inviteUser(db, { name, accountId, seesConsole, issuer, operator })
  const token =
    account === undefined
      ? await withOperatorDatabase((db) => add(db, null))
      : await withAccount(account, add)
  if (token === null)
    throw new CommandError(`there is a user ${name}; "sluice users reset ${name}" makes a new link`)
  printRecord({ user: name, link: invitationUrl(issuer, token) }, given)
}

/** The address of the embedded provider. */
function ownIssuer(): string {
  const { ISSUER_URL, OIDC_ISSUER } = operatorEnvironment()
  if (ISSUER_URL && ISSUER_URL === (OIDC_ISSUER || ISSUER_URL)) return ISSUER_URL
  throw new CommandError(
    OIDC_ISSUER
      ? `users sign in at ${OIDC_ISSUER}: make them there, and link them with "sluice identities link"`
      : 'the embedded OpenID provider does not run: start the installation, or set ISSUER_URL to its address',
  )
}

const unknown = (name: string) => new CommandError(`no user ${name}; see "sluice users list"`)
