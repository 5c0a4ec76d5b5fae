-- A partition is made apart and then attached: that locks its table against other makers of partitions only, while
-- CREATE .. PARTITION OF would wait for every statement that reads prices and make the later ones wait, or deadlock.
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

create function attach_price_partition(parent text, part text, from_at timestamptz, to_at timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like %I including all)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, from_at, to_at);
end $$;
revoke all on function attach_price_partition from public;
