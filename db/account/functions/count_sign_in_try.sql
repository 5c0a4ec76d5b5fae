-- Counts a try as wrong before it is checked, so that parallel tries cannot exceed the limit. Each `most` wrong ones in a
-- row lock the key, for a quarter of an hour at first, then twice as long each time, up to a day. False: it is locked,
-- and nothing was counted.
create or replace function count_sign_in_try(kind text, key text, most int) returns boolean
language sql set search_path = public, pg_temp as $$
  with counted as (
    insert into sign_in_tries as t (kind, key, wrong, last_at)
      values (count_sign_in_try.kind, count_sign_in_try.key, 1, clock_timestamp())
    on conflict on constraint sign_in_tries_pkey do update set
      wrong = t.wrong + 1,
      last_at = clock_timestamp(),
      locked_until = case when (t.wrong + 1) % most = 0 then clock_timestamp()
        + least(interval '15 minutes' * power(2, least((t.wrong + 1) / most, 10) - 1), interval '1 day') end
      where t.locked_until is null or t.locked_until <= clock_timestamp()
    returning 1
  )
  select exists (select from counted)
$$;
revoke all on function count_sign_in_try from public;
