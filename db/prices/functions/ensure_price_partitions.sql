-- Creates the missing partitions for [from_at, to_at]: one per month of price_hours, one per year of
-- price_days. A transaction that creates one holds the lock until it ends. Calls that find all partitions
-- take no lock.
create or replace function ensure_price_partitions(from_at timestamptz, to_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  part record;
  locked boolean := false;
begin
  for part in
    select 'price_hours' as parent, 'price_hours_' || to_char(start_at, 'YYYYMM') as name, start_at, start_at + interval '1 month' as end_at
      from generate_series(date_trunc('month', from_at), to_at, interval '1 month') as start_at
    union all
    select 'price_days', 'price_days_' || to_char(start_at, 'YYYY'), start_at, start_at + interval '1 year'
      from generate_series(date_trunc('year', from_at), to_at, interval '1 year') as start_at
    order by 1, 3
  loop
    if to_regclass(part.name) is not null then continue; end if;
    if not locked then
      perform pg_advisory_xact_lock(hashtext('ensure_price_partitions'));
      locked := true;
    end if;
    perform attach_price_partition(part.parent, part.name, part.start_at, part.end_at);
  end loop;
end $$;
revoke all on function ensure_price_partitions from public;
grant execute on function ensure_price_partitions to ingest;
