-- What reads must not call complete: figures that lack stored transactions, or days and coins that are not of
-- the same computation. `book_id`: a book. `portfolio_id`: an exchange account or a manual portfolio.
-- `account_id`: all portfolios of an account combined. Prices that came later make no row.
create or replace view uncomputed_figures as
  select s.book_id, null::uuid as portfolio_id, null::uuid as account_id
  from pl_states s where s.legs_changed or s.computed_to is null
  union all
  -- The coins of a book, and of an account.
  select s.book_id, null::uuid, s.account_id
  from scopes s join folds f on f.scope_id = s.id where s.wallet_id is null and f.dirty_from is not null
  union all
  -- The coins of a wallet on all its networks.
  select b.id, null::uuid, null::uuid
  from scopes s join folds f on f.scope_id = s.id join books b on b.wallet_id = s.wallet_id
  where f.dirty_from is not null
  union all
  -- Portfolios, or a cost method, of the account changed.
  select null::bigint, null::uuid, s.account_id
  from scopes s where s.account_id is not null and s.dirty_from is not null
  union all
  select null::bigint, t.connection_id, null::uuid from exchange_transactions t where not t.derived
  union all
  select null::bigint, t.portfolio_id, null::uuid from manual_transactions t where not t.derived;
grant select on uncomputed_figures to api;

-- What was not computed at a past instant is not kept.
create or replace view as_of.uncomputed_figures as
  select null::bigint as book_id, null::uuid as portfolio_id, null::uuid as account_id where false;
grant select on as_of.uncomputed_figures to api;
