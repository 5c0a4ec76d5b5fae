-- Number of the period that holds an instant. Counts from the anchor, so Jan 31, Feb 28, Mar 31 follow each
-- other.
create or replace function period_number(anchor_at timestamptz, at timestamptz) returns integer
language sql immutable as $$
  select greatest(0, months - (period_start(anchor_at, months) > at)::integer)
  from (select 12 * (extract(year from at at time zone 'UTC') - extract(year from anchor_at at time zone 'UTC'))::integer
             + (extract(month from at at time zone 'UTC') - extract(month from anchor_at at time zone 'UTC'))::integer as months)
$$;
revoke all on function period_number from public;
