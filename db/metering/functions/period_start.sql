-- Period 0 starts at the anchor, period n starts n months later.
create or replace function period_start(anchor_at timestamptz, n integer) returns timestamptz
language sql immutable as $$
  select (anchor_at at time zone 'UTC' + make_interval(months => n)) at time zone 'UTC'
$$;
revoke all on function period_start from public;
