import { userInfo } from 'node:os'
import {
  inviteUser,
  invitationUrl,
  isUserName,
  readUsers,
  resetUser,
  setUserEnabled,
} from '../../db/console/users.ts'
import { rotateUserCodes } from '../../db/account/rotate-user-codes.ts'
import type { Db } from '../../db/schema.ts'
import { createSealingKey } from '../../db/values/sealed-secret.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printDone, printRecord, printRows } from '../print.ts'
import { addSealingKey, readSecrets } from '../secrets.ts'
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
      const words = enabled ? `${name} can sign in again` : `${name} is signed out and refused`
      return printDone({ user: name, enabled }, words, given)
    }
    case 'reset': {
      const { name } = given
      const issuer = ownIssuer()
      const token = await withOperatorDatabase((db) => resetUser(db, { name, operator }))
      if (token === null) throw unknown(name)
      return printRecord({ user: name, link: invitationUrl(issuer, token) }, given)
    }
    case 'new-key':
      return newKey(given)
    case 'rotate-keys':
      return rotateKeys(given)
  }
}

/** Adds a key to those of the installation in the home, or prints one for installations that run by hand. */
function newKey(given: { json: boolean }): void {
  const secrets = readSecrets(homeFolder())
  if (secrets && !process.env['ISSUER_SEALING_KEYS']) {
    addSealingKey(homeFolder(), secrets, 'issuerKeys')
    return printDone({ stored: true }, 'The next start uses it. Then run: sluice users rotate-keys', given)
  }
  const key = createSealingKey()
  printDone({ stored: false, key }, `ISSUER_SEALING_KEYS  put this key before the others: ${key}`, given)
}

async function rotateKeys(as: { json: boolean }): Promise<void> {
  const given = process.env['ISSUER_SEALING_KEYS']
  const keys = given ? given.split(',') : (readSecrets(homeFolder())?.issuerKeys ?? [])
  if (keys.length === 0) throw new CommandError('no keys: set ISSUER_SEALING_KEYS, the newest first')
  const { rotated } = await withOperatorDatabase((db) => rotateUserCodes(db, keys))
  printDone(
    { rotated },
    `${rotated} secrets are encrypted under the newest key; you can remove the older keys`,
    as,
  )
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
      ? `users sign in at ${OIDC_ISSUER}: give people an account there, and link it with "sluice identities link"`
      : 'the embedded OpenID provider does not run: start the installation, or set ISSUER_URL to its address',
  )
}

const unknown = (name: string) => new CommandError(`no user ${name}; see "sluice users list"`)
