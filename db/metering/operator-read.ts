import type { Db } from '../schema.ts'
import type { PlanId } from './tables.ts'

/** Lists for the operator's commands and console. */

export function listAccounts(db: Db) {
  return db
    .selectFrom('accounts')
    .innerJoin('plans', 'plans.id', 'accounts.plan')
    .select(({ fn }) => [
      'accounts.id',
      'accounts.name',
      'accounts.plan',
      fn.coalesce('accounts.credits_per_month', 'plans.credits_per_month').as('credits_per_month'),
      fn.coalesce('accounts.requests_per_second', 'plans.requests_per_second').as('requests_per_second'),
      'accounts.anchor_at',
      'accounts.degen',
    ])
    .orderBy('accounts.created_at')
    .execute()
}

export function listTopUps(db: Db, filter: { accountId: string }) {
  return db
    .selectFrom('credit_grants')
    .select(['id', 'credits', 'created_at', 'expires_at'])
    .where('account_id', '=', filter.accountId)
    .orderBy('created_at')
    .execute()
}

export function listKeys(db: Db, filter: { accountId: string }) {
  return db
    .selectFrom('api_keys')
    .select(['prefix', 'name', 'read_only', 'opens', 'created_at', 'expires_at', 'revoked_at'])
    .where('account_id', '=', filter.accountId)
    .orderBy('created_at')
    .execute()
}

/** Identities that are linked with an account, operators, or both. */
export function listIdentities(db: Db) {
  return db
    .selectFrom('identities')
    .fullJoin('operators', (join) =>
      join
        .onRef('operators.issuer', '=', 'identities.issuer')
        .onRef('operators.subject', '=', 'identities.subject'),
    )
    .leftJoin('accounts', 'accounts.id', 'identities.account_id')
    .select(({ fn, eb }) => [
      fn.coalesce('identities.issuer', 'operators.issuer').as('issuer'),
      fn.coalesce('identities.subject', 'operators.subject').as('subject'),
      ...(['accounts.name as account', 'account_id'] as const),
      eb('operators.subject', 'is not', null).as('operator'),
      fn.coalesce('identities.created_at', 'operators.created_at').as('created_at'),
    ])
    .orderBy('created_at')
    .execute()
}

/** Finds accounts by id or name; several may share a name. */
export function findAccounts(db: Db, idOrName: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where((eb) =>
      eb.or([
        eb(eb.cast<string>(eb.ref('id'), 'text'), '=', idOrName.toLowerCase()),
        eb('name', '=', idOrName),
      ]),
    )
    .execute()
}

export async function planOf(db: Db, accountId: string): Promise<PlanId> {
  const { plan } = await db
    .selectFrom('accounts')
    .select('plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return plan
}
