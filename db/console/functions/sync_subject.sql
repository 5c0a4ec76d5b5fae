-- What a portfolio follows: a wallet or an exchange account. No row: there is no such portfolio.
create or replace function sync_subject(portfolio uuid)
returns table (kind text, address text, network_id text, venue text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.kind, p.address, p.network_id, e.venue
  from portfolios p left join exchange_connections e on e.id = p.id where p.id = portfolio
$$;
revoke all on function sync_subject from public;
grant execute on function sync_subject to console;
