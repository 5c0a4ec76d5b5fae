-- Replaces the recovery codes of a user.
create or replace function renew_recovery_codes(subject text, code_hashes bytea[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from user_recovery_codes c where c.user_subject = subject;
  insert into user_recovery_codes (user_subject, hash) select subject, unnest(code_hashes);
$$;
revoke all on function renew_recovery_codes from public;
grant execute on function renew_recovery_codes to issuer;
