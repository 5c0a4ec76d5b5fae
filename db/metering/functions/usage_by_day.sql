-- Returns one row per UTC day, from `since` on, and endpoint that was charged.
create or replace function usage_by_day(account_id uuid, since date)
returns table (day date, endpoint text, calls bigint, credits bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.day, u.endpoint, u.calls, u.credits from usage_days u
  where u.account_id = usage_by_day.account_id and u.day >= since
  order by u.day, u.endpoint
$$;
revoke all on function usage_by_day from public;
grant execute on function usage_by_day to account;
