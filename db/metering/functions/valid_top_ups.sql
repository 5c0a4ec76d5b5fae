-- Returns the credits left in an account's valid top-ups, and the next expiry, when its open period needs a
-- refresh.
create or replace function valid_top_ups(account_id uuid) returns table (credits bigint, next_at timestamptz)
language sql stable set search_path = public, pg_temp as $$
  select coalesce(sum(c.credits - c.spent), 0)::bigint, min(c.expires_at) from credit_grants c
  where c.account_id = valid_top_ups.account_id and c.spent < c.credits and c.expires_at > now()
$$;
revoke all on function valid_top_ups from public;
