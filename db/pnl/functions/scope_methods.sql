-- The cost methods that the coin rows of a scope need.
create or replace function scope_methods(scope_id bigint) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select 'average' from scopes s where s.id = $1 and s.account_id is null
  union
  select b.cost_method from portfolio_books b where b.book_id = (select s.book_id from scopes s where s.id = $1)
  union
  select a.cost_method from accounts a where a.id = (select s.account_id from scopes s where s.id = $1)
$$;
revoke all on function scope_methods from public;
grant execute on function scope_methods to ingest;
