-- Creates the missing partitions of account_events for the day of `at` and the next one.
create or replace function ensure_event_partitions(at timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  start_at timestamptz;
begin
  for start_at in select generate_series(date_trunc('day', at), date_trunc('day', at) + interval '1 day', interval '1 day')
  loop
    -- Attaching a table locks the parent less than creating a partition of it does.
    perform attach_price_partition('account_events', 'account_events_' || to_char(start_at, 'YYYYMMDD'),
      start_at, start_at + interval '1 day');
  end loop;
end $$;
revoke all on function ensure_event_partitions from public;
