import { sql } from 'kysely'
import type { PlanId } from '../metering/tables.ts'
import { readSql } from '../read-sql.ts'
import type { Db, ReadonlyDb } from '../schema.ts'
import { apiKeyPrefix, createApiKey, hashApiKey } from '../values/api-key.ts'

// What operators do to accounts, keys and operators, as role `console` or as the owner. Each leaves a row that says who.

type AnyDb = Db | ReadonlyDb

export interface ListedAccount {
  id: string
  name: string
  plan: PlanId
  createdAt: Date
  /** It may share portfolios. */
  degen: boolean
  creditsPerMonth: string
  requestsPerSecond: number
  /** Of the open period; null: it has made no call. */
  granted: string | null
  posted: string | null
  endsAt: Date | null
}

const columns = sql`id, name, plan, created_at as "createdAt", degen, credits_per_month::text as "creditsPerMonth",
  requests_per_second as "requestsPerSecond", granted::text as granted, posted::text as posted, ends_at as "endsAt"`

/** Accounts whose name or id contains a text, newest first. */
export const findAccounts = (
  db: AnyDb,
  { text, limit }: { text: string; limit: number },
): Promise<ListedAccount[]> =>
  readSql(
    db,
    sql<ListedAccount>`
      select ${columns} from operations.accounts
      where position(lower(${text}) in lower(name)) > 0 or position(lower(${text}) in id::text) > 0
      order by created_at desc, id limit ${limit}`,
  )

export async function readAccount(db: AnyDb, id: string): Promise<ListedAccount | undefined> {
  const [account] = await readSql(
    db,
    sql<ListedAccount>`select ${columns} from operations.accounts where id = ${id}::uuid`,
  )
  return account
}

export interface ListedKey {
  prefix: string
  name: string
  readOnly: boolean
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
}

/** The keys of an account, oldest first. */
export const readKeys = (db: AnyDb, accountId: string): Promise<ListedKey[]> =>
  readSql(
    db,
    sql<ListedKey>`
      select prefix, name, read_only as "readOnly", created_at as "createdAt", expires_at as "expiresAt",
        revoked_at as "revokedAt"
      from operations.account_keys where account_id = ${accountId}::uuid order by created_at, prefix`,
  )

/** Opens an account and returns its id. Limits that are not given are those of the plan. */
export async function openAccount(
  db: AnyDb,
  account: {
    name: string
    plan: PlanId
    creditsPerMonth?: bigint
    requestsPerSecond?: number
    operator: string
  },
): Promise<{ accountId: string }> {
  const { name, plan, creditsPerMonth, requestsPerSecond = null, operator } = account
  const [row] = await readSql(
    db,
    sql<{ accountId: string }>`
      select operator_open_account(${name}, ${plan}, ${creditsPerMonth?.toString() ?? null}::bigint,
        ${requestsPerSecond}::int, ${operator}) as "accountId"`,
  )
  return row!
}

/** Moves an account to another plan. false: there is no such account. */
export async function movePlan(
  db: AnyDb,
  { accountId, plan, operator }: { accountId: string; plan: PlanId; operator: string },
): Promise<boolean> {
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`select operator_change_plan(${accountId}::uuid, ${plan}, ${operator}) as done`,
  )
  return row!.done
}

/** Adds credits that are spent after the plan's. A repeated id adds nothing, and throws if it is of another top-up. */
export async function addCredits(
  db: AnyDb,
  grant: { id: string; accountId: string; credits: bigint; expiresAt?: Date; operator: string },
): Promise<{ expiresAt: Date; added: boolean }> {
  const { id, accountId, credits, expiresAt = null, operator } = grant
  const [row] = await readSql(
    db,
    sql<{ expiresAt: Date; added: boolean }>`
      select valid_until as "expiresAt", added from operator_top_up(${id}, ${accountId}::uuid,
        ${credits.toString()}::bigint, ${expiresAt}::timestamptz, ${operator})`,
  )
  return row!
}

/** Creates a key and returns its text, which is not stored. null: there is no such account. */
export async function issueKey(
  db: AnyDb,
  key: {
    accountId: string
    name: string
    readOnly: boolean
    /** Tags and endpoints that it opens; absent: all. */
    opens?: readonly string[]
    expiresAt?: Date
    operator: string
  },
): Promise<{ key: string; prefix: string } | null> {
  const { accountId, name, readOnly, opens = null, expiresAt = null, operator } = key
  const text = createApiKey()
  const prefix = apiKeyPrefix(text)
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`
      select operator_create_key(${accountId}::uuid, ${hashApiKey(text)}::bytea, ${prefix}, ${name},
        ${readOnly}::boolean, ${opens && [...opens]}::text[], ${expiresAt}::timestamptz, ${operator}) as done`,
  )
  return row!.done ? { key: text, prefix } : null
}

/** Revokes the keys of an account with a prefix and returns their number. */
export async function withdrawKey(
  db: AnyDb,
  { accountId, prefix, operator }: { accountId: string; prefix: string; operator: string },
): Promise<number> {
  const [row] = await readSql(
    db,
    sql<{
      revoked: number
    }>`select operator_revoke_key(${accountId}::uuid, ${prefix}, ${operator}) as revoked`,
  )
  return row!.revoked
}

export const readOperators = (db: AnyDb): Promise<{ issuer: string; subject: string; createdAt: Date }[]> =>
  readSql(
    db,
    sql<{ issuer: string; subject: string; createdAt: Date }>`
      select issuer, subject, created_at as "createdAt" from operations.operators order by created_at, subject`,
  )

/** Lets a user see the console, or no longer, from the next page on. false: it was so before. */
export async function appointOperator(
  db: AnyDb,
  appointed: { issuer: string; subject: string; isOperator: boolean; operator: string },
): Promise<boolean> {
  const { issuer, subject, isOperator, operator } = appointed
  const [row] = await readSql(
    db,
    sql<{ done: boolean }>`
      select operator_appoint(${issuer}, ${subject}, ${isOperator}::boolean, ${operator}) as done`,
  )
  return row!.done
}
