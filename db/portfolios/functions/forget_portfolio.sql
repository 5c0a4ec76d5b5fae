-- Deletes a portfolio with everything that only it has. Locks in the same order as a recompute.
create or replace function forget_portfolio(portfolio_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  account uuid;
  book bigint;
begin
  perform from exchange_connections c where c.id = portfolio_id for update;
  select p.account_id into account from portfolios p where p.id = portfolio_id for update;
  if not found then
    return;
  end if;
  select b.id into book from books b where b.connection_id = portfolio_id or b.portfolio_id = portfolio_id;
  perform from pl_states s where s.book_id = book for update;
  perform from scopes s where s.book_id = book or s.account_id = account order by s.id for update;
  perform mark_account_dirty(account);
  delete from pl_days d where d.book_id = book;
  delete from balance_days d where d.book_id = book;
  delete from books b where b.id = book;
  delete from portfolios p where p.id = portfolio_id;
  delete from exchange_legs e where e.connection_id = portfolio_id;
  delete from exchange_transactions e where e.connection_id = portfolio_id;
  delete from exchange_balances e where e.connection_id = portfolio_id;
  delete from exchange_cursors e where e.connection_id = portfolio_id;
  delete from exchange_secrets e where e.connection_id = portfolio_id;
  delete from exchange_connections c where c.id = portfolio_id;
end $$;
revoke all on function forget_portfolio from public;
grant execute on function forget_portfolio to ingest;
