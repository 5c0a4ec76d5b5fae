-- Uses a link: stores the password and forgets the wrong tries. False: it was used, replaced, or has expired.
create or replace function accept_invitation(token_hash bytea, password_hash text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with used as (
    delete from user_invitations i using users u
    where i.hash = token_hash and i.expires_at > now() and u.subject = i.user_subject and u.disabled_at is null
    returning u.subject, u.name
  ), forgotten as (
    delete from sign_in_tries t using used where t.kind = 'name' and t.key = used.name
  ), changed as (
    update users u set password_hash = accept_invitation.password_hash from used where u.subject = used.subject
    returning 1
  )
  select exists (select from changed)
$$;
revoke all on function accept_invitation from public;
grant execute on function accept_invitation to issuer;
