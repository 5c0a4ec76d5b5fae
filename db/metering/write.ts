import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { apiKeyPrefix, createApiKey, hashApiKey } from '../values/api-key.ts'
import type { PlanId } from './tables.ts'

/** Operator commands. They run as the owner of the database; no role of the running service may do this. */

interface NewAccount {
  name: string
  plan: PlanId
  /** Agreed limits; absent: the plan's. */
  creditsPerMonth?: bigint
  requestsPerSecond?: number
  /** Start of the first credit period; absent: now. */
  anchorAt?: Date
}

export async function createAccount(db: Db, account: NewAccount): Promise<{ accountId: string }> {
  const { id } = await db
    .insertInto('accounts')
    .values({
      name: account.name,
      plan: account.plan,
      credits_per_month: account.creditsPerMonth?.toString() ?? null,
      requests_per_second: account.requestsPerSecond ?? null,
      ...(account.anchorAt && { anchor_at: account.anchorAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { accountId: id }
}

/** Moves an account to another plan. The open period gets the new credits, and at least what it has spent. */
export async function changePlan(db: Db, change: { accountId: string; plan: PlanId }): Promise<void> {
  await sql`select change_plan(${change.accountId}, ${change.plan})`.execute(db)
}

interface TopUp {
  /** Id of the order: a repeated id adds nothing. */
  id: string
  accountId: string
  credits: bigint
  /** Absent: the end of the open period. */
  expiresAt?: Date
}

/** Adds credits that are spent after the plan's. Throws when the id belongs to a different top-up. */
export async function topUp(db: Db, grant: TopUp): Promise<{ expiresAt: Date; added: boolean }> {
  const { id, accountId, credits, expiresAt } = grant
  const { rows } = await sql<{ valid_until: Date; added: boolean }>`
    select valid_until, added from grant_credits(${id}, ${accountId}, ${credits.toString()}, ${expiresAt ?? null})
  `.execute(db)
  return { expiresAt: rows[0]!.valid_until, added: rows[0]!.added }
}

/** Allows an account to share portfolios, or forbids it. Forbidding makes its links fail at once. */
export async function setDegen(db: Db, change: { accountId: string; degen: boolean }): Promise<void> {
  const { accountId, degen } = change
  await db.updateTable('accounts').set({ degen }).where('id', '=', accountId).execute()
}

interface NewKey {
  accountId: string
  name: string
  /** Allows GET only. */
  readOnly?: boolean
  /** Allowed tags and endpoints of the route table; absent: all. */
  opens?: readonly string[]
  /** Absent: never. */
  expiresAt?: Date
}

/** Creates a key and returns its text, which is not stored and cannot be shown again. */
export async function createKey(db: Db, key: NewKey): Promise<{ key: string; prefix: string }> {
  const text = createApiKey()
  const prefix = apiKeyPrefix(text)
  await db
    .insertInto('api_keys')
    .values({
      hash: hashApiKey(text),
      account_id: key.accountId,
      prefix,
      name: key.name,
      revoked_at: null,
      read_only: key.readOnly ?? false,
      expires_at: key.expiresAt ?? null,
      opens: key.opens ? [...key.opens] : null,
    })
    .execute()
  return { key: text, prefix }
}

/** Revokes an account's keys with this prefix and returns their number. They stop working within 5 s. */
export async function revokeKey(
  db: Db,
  key: { accountId: string; prefix: string },
): Promise<{ revoked: number }> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('account_id', '=', key.accountId)
    .where('prefix', '=', key.prefix)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return { revoked: Number(result.numUpdatedRows) }
}

/**
 * Links a subject with an account and replaces an earlier link. A trigger ends its sessions at the pages,
 * here and in the functions below.
 */
export async function linkIdentity(
  db: Db,
  identity: { issuer: string; subject: string; accountId: string },
): Promise<void> {
  const { issuer, subject, accountId } = identity
  await db
    .insertInto('identities')
    .values({ issuer, subject, account_id: accountId })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ account_id: accountId }))
    .execute()
}

/** Its tokens stop working within 5 seconds. Returns false when the subject was not linked. */
export async function unlinkIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('identities')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Allows a subject to see the console, or forbids it, from its next page on. */
export async function setOperator(
  db: Db,
  { issuer, subject, isOperator }: { issuer: string; subject: string; isOperator: boolean },
): Promise<void> {
  if (isOperator)
    await db
      .insertInto('operators')
      .values({ issuer, subject })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('operators').where('issuer', '=', issuer).where('subject', '=', subject).execute()
}
