-- The user entered a first code of the app, that of `step`, and gets recovery codes. False: there is no app to confirm.
create or replace function confirm_user_totp(subject text, step bigint, code_hashes bytea[]) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update user_totp t set confirmed_at = now(), last_step = step
    where t.user_subject = subject and t.confirmed_at is null;
  if not found then
    return false;
  end if;
  perform renew_recovery_codes(subject, code_hashes);
  return true;
end $$;
revoke all on function confirm_user_totp from public;
grant execute on function confirm_user_totp to issuer;
