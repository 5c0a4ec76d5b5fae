-- Creates a partition as a separate table and attaches it. This locks the parent only against other partition
-- makers. CREATE .. PARTITION OF would wait for every reader of prices and block later readers, or deadlock.
create or replace function attach_price_partition(parent text, part text, from_at timestamptz, to_at timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I (like %I including all)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, from_at, to_at);
end $$;
revoke all on function attach_price_partition from public;
