import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../connect.ts'
import type { CostMethod } from '../../values/cost-methods.ts'
import { type BookSet, isScopeOf } from '../book-sets.ts'
import { type Change, concerns, matchedSince, type Scope } from '../scopes.ts'

/**
 * Opens the folds of the methods that were chosen for scopes, forgets those of others, and notes from when on they are to
 * be folded again; null: nothing changed. To be called in the transaction of the change, while the scopes are locked.
 */
export async function markFolds(
  db: Db,
  changes: readonly { scope: Scope; fromMs: number | null }[],
): Promise<void> {
  const ids = changes.map(({ scope }) => scope.id)
  // A transfer that is found now may have left some days before.
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

/** What is to be folded, whose row is locked from now on; null: nothing is to be done. */
export async function lockDirtyFold(
  db: Db,
  foldId: string,
): Promise<{ scopeId: string; method: CostMethod; dirtyMs: number } | null> {
  const { rows } = await sql<{ scope_id: string; method: CostMethod; dirty_from: Date | null }>`
    select scope_id, method, dirty_from from folds where id = ${foldId} for update`.execute(db)
  const [fold] = rows
  if (!fold?.dirty_from) return null
  return { scopeId: fold.scope_id, method: fold.method, dirtyMs: fold.dirty_from.getTime() }
}

/** Its rows are those of its legs now. */
export async function endFold(db: Db, { foldId, at }: { foldId: string; at: Date }): Promise<void> {
  await sql`
    update folds set dirty_from = null, folded_at = ${at}, revision = revision + 1
    where id = ${foldId}`.execute(db)
}

/** The folds that a change leaves to be done. */
export async function dirtyFolds(db: Db, change: Change): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from folds where dirty_from is not null and scope_id in (select id from scopes where ${concerns(change)})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** By what a fold counts cost. */
export async function readMethod(db: ReadonlyDb, foldId: string): Promise<CostMethod | undefined> {
  const fold = await db.selectFrom('folds').select('method').where('id', '=', foldId).executeTakeFirst()
  return fold?.method
}

/** The fold of a set of books by a method, that of an account by its own; null while it is not folded yet. */
export async function findFold(
  db: ReadonlyDb,
  { method = 'average', ...set }: BookSet & { method?: CostMethod | undefined },
): Promise<string | null> {
  const fold = await db
    .selectFrom('folds')
    .innerJoin('scopes', 'scopes.id', 'scope_id')
    .select('folds.id')
    .where(isScopeOf(set))
    .where('folded_at', 'is not', null)
    .where((where) => where.or([where('account_id', 'is not', null), where('method', '=', method)]))
    .executeTakeFirst()
  return fold?.id ?? null
}
