-- The book of each portfolio. A portfolio has none before its P&L is computed for the first time.
create or replace view portfolio_books as
  select p.id as portfolio_id, p.account_id, p.cost_method, b.id as book_id
  from portfolios p join books b on b.portfolio_id = p.id
  union all
  select p.id, p.account_id, p.cost_method, b.id from portfolios p join books b on b.connection_id = p.id
  union all
  select p.id, p.account_id, p.cost_method, b.id
  from portfolios p join wallets w on w.address = p.address
  join books b on b.wallet_id = w.id and b.network_id = p.network_id;
grant select on portfolio_books to ingest, api;

-- The same view at a past instant: its text over the tables of as_of.
do $$
declare
  path text := current_setting('search_path');
  body text := pg_get_viewdef('public.portfolio_books'::regclass);
begin
  perform set_config('search_path', 'as_of, public', true);
  execute 'create or replace view as_of.portfolio_books as ' || body;
  perform set_config('search_path', path, true);
end $$;
grant select on as_of.portfolio_books to api;
