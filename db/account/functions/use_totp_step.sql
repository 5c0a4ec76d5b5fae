-- Accepts the code of a step, and from then on no code of it or an older one. False: it is too old.
create or replace function use_totp_step(subject text, step bigint) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    update user_totp t set last_step = step
    where t.user_subject = subject and t.confirmed_at is not null and t.last_step < step
    returning 1
  )
  select exists (select from used)
$$;
revoke all on function use_totp_step from public;
grant execute on function use_totp_step to issuer;
