-- What a user signs in with. No row: there is no such user, or it is disabled.
create or replace function issuer_profile(subject text)
returns table (name text, has_totp boolean, recovery_codes int)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.name,
    exists (select from user_totp t where t.user_subject = u.subject and t.confirmed_at is not null),
    (select count(*)::int from user_recovery_codes c where c.user_subject = u.subject)
  from users u where u.subject = issuer_profile.subject and u.disabled_at is null
$$;
revoke all on function issuer_profile from public;
grant execute on function issuer_profile to issuer;
