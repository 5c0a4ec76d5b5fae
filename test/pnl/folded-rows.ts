import type pg from 'pg'

interface Owner {
  accountId: string
  walletId: string
}

/** Matches and folds of an account and its books as text, with names that survive a full recompute. */
export async function foldedRows(pool: pg.Pool, { accountId, walletId }: Owner): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `with scope as (
       select s.id, concat_ws(' ', 'book', b.id, 'wallet', s.wallet_id, s.account_id) as name
       from scopes s left join books b on b.id = s.book_id
       where s.account_id = $1 or $2 in (s.wallet_id, b.wallet_id)
         or s.book_id in (select book_id from portfolio_books where account_id = $1)
     ), fold as (select f.id, concat_ws(' ', name, method) as name from folds f join scope on scope.id = scope_id)
     select name || (to_jsonb(c) - 'fold_id' - 'recorded_at') as row from coin_folds c join fold on id = fold_id
     union all select name || (to_jsonb(d) - 'fold_id' - 'recorded_at') from coin_fold_days d join fold on id = fold_id
     union all select name || (to_jsonb(u) - 'fold_id') from lot_uses u join fold on id = fold_id
     union all select name || (to_jsonb(m) - 'fold_id' - 'recorded_at') from coin_moves m join fold on id = fold_id
     union all select name || (to_jsonb(m) - 'scope_id') from transfer_matches m join scope on id = scope_id order by 1`,
    [accountId, walletId],
  )
  return rows.map(({ row }) => row)
}

/** Deletes everything computed for an account. */
export async function forgetFigures(pool: pg.Pool, { accountId, walletId }: Owner): Promise<void> {
  const own = `select book_id from portfolio_books where account_id = $1 union select id from books where wallet_id = $2`
  const ids = [accountId, walletId]
  await pool.query(`delete from scopes where account_id = $1 or wallet_id = $2 or book_id in (${own})`, ids)
  await pool.query(`delete from pl_states where book_id in (${own})`, ids)
}
