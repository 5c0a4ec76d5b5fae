-- What the top-ups of an account still have, and when its open period has to be looked at again because one of them or
-- a reservation expires.
create or replace function valid_top_ups(account_id uuid) returns table (credits bigint, next_at timestamptz)
language sql stable set search_path = public, pg_temp as $$
  select coalesce(g.credits, 0), least(g.next_at, r.next_at)
  from (select sum(c.credits - c.spent)::bigint as credits, min(c.expires_at) as next_at from credit_grants c
        where c.account_id = valid_top_ups.account_id and c.spent < c.credits and c.expires_at > now()) g,
       (select min(p.expires_at) as next_at from reservations p
        where p.account_id = valid_top_ups.account_id and p.state = 'pending' and p.expires_at > now()) r
$$;
revoke all on function valid_top_ups from public;
