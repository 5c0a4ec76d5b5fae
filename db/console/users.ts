import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashInvitation } from '../account/users.ts'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'

// What operators see and decide of the users of the embedded OpenID provider, as role `console` or as the owner.

export interface User {
  subject: string
  name: string
  /** null: none, such as of an operator */
  account: string | null
  seesConsole: boolean
  hasPassword: boolean
  /** An app makes codes for their sign-in. */
  hasTotp: boolean
  /** End of the link with which they choose a password; null: none is open */
  invitedUntil: Date | null
  signedInAt: Date | null
  disabledAt: Date | null
}

export const readUsers = (db: Db | ReadonlyDb): Promise<User[]> =>
  readSql(
    db,
    sql<User>`
      select subject, name, account, sees_console as "seesConsole", has_password as "hasPassword", has_totp as "hasTotp",
        invited_until as "invitedUntil", signed_in_at as "signedInAt", disabled_at as "disabledAt"
      from operations.users order by name`,
  )

/** The accounts that users can be invited to. */
export const readAccounts = (db: ReadonlyDb): Promise<{ id: string; name: string; plan: string }[]> =>
  readSql(
    db,
    sql<{ id: string; name: string; plan: string }>`
      select id, name, plan from operations.accounts order by name, id`,
  )

/** What a user types to sign in. */
export const isUserName = (name: string): boolean => /^[a-z0-9][a-z0-9._@+-]{0,63}$/.test(name)

const newToken = () => randomBytes(32).toString('base64url')

/** Makes a user and returns the token of the link, which is not stored. null: the name is taken. */
export async function inviteUser(
  db: Db | ReadonlyDb,
  user: { name: string; accountId: string | null; seesConsole: boolean; issuer: string; operator: string },
): Promise<string | null> {
  const { name, accountId, seesConsole, issuer, operator } = user
  const token = newToken()
  const [row] = await readSql(
    db,
    sql<{ subject: string | null }>`
      select invite_user(${name}, ${accountId}::uuid, ${seesConsole}::boolean, ${issuer}, ${hashInvitation(token)},
        ${operator}) as subject`,
  )
  return row!.subject === null ? null : token
}

/** Takes a user everything with which they sign in and returns the token of a new link. null: no such user. */
export async function resetUser(
  db: Db | ReadonlyDb,
  { name, operator }: { name: string; operator: string },
): Promise<string | null> {
  const token = newToken()
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select reset_user(${name}, ${hashInvitation(token)}, ${operator}) as done`,
  )
  return row!.done ? token : null
}

/** false: there is no such user. */
export async function setUserEnabled(
  db: Db | ReadonlyDb,
  { name, enabled, operator }: { name: string; enabled: boolean; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select set_user_enabled(${name}, ${enabled}::boolean, ${operator}) as done`,
  )
  return row!.done
}

/** Where a link leads. */
export const invitationUrl = (issuer: string, token: string): string => `${issuer}/invitation/${token}`
