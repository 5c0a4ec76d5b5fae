-- Creates the partitions that hold [from_at, to_at]: months of price_hours, years of price_days.
create or replace function ensure_price_partitions(from_at timestamptz, to_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  start_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_price_partitions'));
  start_at := date_trunc('month', from_at);
  while start_at <= to_at loop
    perform attach_price_partition('price_hours', 'price_hours_' || to_char(start_at, 'YYYYMM'), start_at, start_at + interval '1 month');
    start_at := start_at + interval '1 month';
  end loop;
  start_at := date_trunc('year', from_at);
  while start_at <= to_at loop
    perform attach_price_partition('price_days', 'price_days_' || to_char(start_at, 'YYYY'), start_at, start_at + interval '1 year');
    start_at := start_at + interval '1 year';
  end loop;
end $$;
revoke all on function ensure_price_partitions from public;
grant execute on function ensure_price_partitions to ingest;
