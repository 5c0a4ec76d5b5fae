import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import type { CostMethod } from './lot-pool.ts'
import { type BookSet, isScopeOf } from '../books.ts'
import { holderRows } from '../holders.ts'
import { type Changes, concerns, matchedSince, type Scope } from '../scopes.ts'

/**
 * Creates folds for the chosen methods of scopes, deletes those of other methods and marks them dirty from
 * `fromMs` on; null: nothing changed. Call it in the transaction of the change, with the scopes locked.
 */
export async function markFolds(
  db: Db,
  changes: readonly { scope: Scope; fromMs: number | null }[],
): Promise<void> {
  const ids = changes.map(({ scope }) => scope.id)
  // A newly matched transfer may have left some days before.
  const froms = changes.map(({ scope, fromMs }) =>
    fromMs === null ? null : new Date(scope.books.length > 1 ? matchedSince(fromMs) : Math.max(fromMs, 0)),
  )
  await sql`
    with changed as materialized (
      select * from unnest(${ids}::bigint[], ${froms}::timestamptz[]) as changed (scope_id, from_at)
    ), chosen as materialized (
      select scope_id, method, from_at from changed cross join scope_methods(scope_id) as method
    ), settled as (
      update scopes set dirty_from = null where id = any(${ids}::bigint[]) and dirty_from is not null
    ), gone as (
      delete from folds where scope_id = any(${ids}::bigint[]) and (scope_id, method) not in (
        select scope_id, method from chosen)
    )
    insert into folds (scope_id, method)
    select scope_id, method from chosen order by scope_id, method
    on conflict (scope_id, method) do update set dirty_from = least(
      folds.dirty_from, (select from_at from changed where changed.scope_id = folds.scope_id))`.execute(db)
}

/** SQL condition on `folds`: changed since it was folded, or folded without its lot uses. */
export const IS_DUE = sql.raw('(dirty_from is not null or uses_revision is distinct from revision)')

/** Locks and returns a due fold; null: it is clean. */
export async function lockDirtyFold(
  db: Db,
  foldId: string,
): Promise<{ scopeId: string; method: CostMethod; dirtyMs: number } | null> {
  const { rows } = await sql<{ scope_id: string; method: CostMethod; dirty_from: Date | null }>`
    select scope_id, method,
      case when uses_revision is distinct from revision then timestamptz 'epoch' else dirty_from end as dirty_from
    from folds where id = ${foldId} for update`.execute(db)
  const [fold] = rows
  if (!fold?.dirty_from) return null
  return { scopeId: fold.scope_id, method: fold.method, dirtyMs: fold.dirty_from.getTime() }
}

/** Marks a fold clean. */
export async function endFold(db: Db, { foldId, at }: { foldId: string; at: Date }): Promise<void> {
  await sql`
    update folds set dirty_from = null, folded_at = ${at}, revision = revision + 1, days_revision = revision + 1,
      uses_revision = revision + 1
    where id = ${foldId}`.execute(db)
}

/** Ids of the due folds that changes concern. */
export async function dirtyFolds(db: Db, change: Changes): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from folds where ${IS_DUE} and scope_id in (select id from scopes where ${concerns(change)})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The cost method of a fold. */
export async function readMethod(db: ReadonlyDb, foldId: string): Promise<CostMethod | undefined> {
  const fold = await db.selectFrom('folds').select('method').where('id', '=', foldId).executeTakeFirst()
  return fold?.method
}

/** The fold of a set of books and a method; an account has its own method. Null before its first run. */
export const findFold = (
  db: ReadonlyDb,
  { method = 'average', ...set }: BookSet & { method?: CostMethod | undefined },
): Promise<string | null> =>
  holderRows(['fold', set.accountId, set.books, method], async () => {
    const fold = await db
      .selectFrom('folds')
      .innerJoin('scopes', 'scopes.id', 'scope_id')
      .select('folds.id')
      .where(isScopeOf(set))
      .where('folded_at', 'is not', null)
      .where((where) => where.or([where('account_id', 'is not', null), where('method', '=', method)]))
      .executeTakeFirst()
    return fold?.id ?? null
  })
