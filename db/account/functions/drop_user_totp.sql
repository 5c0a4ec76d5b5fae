-- Forgets a user's app and the recovery codes.
create or replace function drop_user_totp(subject text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from user_totp t where t.user_subject = subject;
  delete from user_recovery_codes c where c.user_subject = subject;
$$;
revoke all on function drop_user_totp from public;
grant execute on function drop_user_totp to issuer;
