-- The sealed secret of a user's app. No row: there is none.
create or replace function user_totp_secret(subject text)
returns table (key_id text, wrapped_key bytea, ciphertext bytea, is_confirmed boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.key_id, t.wrapped_key, t.ciphertext, t.confirmed_at is not null from user_totp t
  where t.user_subject = user_totp_secret.subject
$$;
revoke all on function user_totp_secret from public;
grant execute on function user_totp_secret to issuer;
