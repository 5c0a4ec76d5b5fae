-- Accepts a recovery code, once. False: it is not one of the user's.
create or replace function use_recovery_code(subject text, code_hash bytea) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    delete from user_recovery_codes c where c.user_subject = subject and c.hash = code_hash returning 1
  )
  select exists (select from used)
$$;
revoke all on function use_recovery_code from public;
grant execute on function use_recovery_code to issuer;
