-- How many events an account may be sent at this moment, at `per_second` in the long run.
create or replace function event_room(account_id uuid, per_second integer, at timestamptz) returns double precision
language sql stable set search_path = public, pg_temp as $$
  select least(per_second, coalesce(
    (select r.room + per_second * extract(epoch from $3 - r.at) from event_rates r where r.account_id = $1), per_second))
$$;
revoke all on function event_room from public;
