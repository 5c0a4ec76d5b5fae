-- Notes the time of a sign-in, for operators.
create or replace function note_sign_in(subject text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update users u set signed_in_at = now() where u.subject = note_sign_in.subject
$$;
revoke all on function note_sign_in from public;
grant execute on function note_sign_in to issuer;
