-- For metrics: number of payments without a known outcome by state, and the age of the oldest.
create or replace function count_open_payments() returns table (state text, payments bigint, oldest_s float8)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.state, count(*), extract(epoch from clock_timestamp() - min(p.claimed_at))::float8
  from payments p where p.state in ('claimed', 'settling', 'unknown') group by p.state
$$;
revoke all on function count_open_payments from public;
grant execute on function count_open_payments to gateway, ingest;
