-- The name of the user whom a link invites. null: it was used, replaced, or has expired.
create or replace function invitation_of(token_hash bytea) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select u.name from user_invitations i join users u on u.subject = i.user_subject
  where i.hash = token_hash and i.expires_at > now() and u.disabled_at is null
$$;
revoke all on function invitation_of from public;
grant execute on function invitation_of to issuer;
