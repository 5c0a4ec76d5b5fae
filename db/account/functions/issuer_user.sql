-- Whether a user may be signed in.
create or replace function issuer_user(subject text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from users u where u.subject = issuer_user.subject and u.disabled_at is null)
$$;
revoke all on function issuer_user from public;
grant execute on function issuer_user to issuer;
