-- Stores the secret of an app that the user has yet to confirm, in place of another such one. False: the user has an app.
create or replace function keep_user_totp(subject text, key_id text, wrapped_key bytea, ciphertext bytea) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with kept as (
    insert into user_totp as t (user_subject, key_id, wrapped_key, ciphertext)
      values (subject, keep_user_totp.key_id, keep_user_totp.wrapped_key, keep_user_totp.ciphertext)
    on conflict on constraint user_totp_pkey do update
      set key_id = excluded.key_id, wrapped_key = excluded.wrapped_key, ciphertext = excluded.ciphertext
      where t.confirmed_at is null
    returning 1
  )
  select exists (select from kept)
$$;
revoke all on function keep_user_totp from public;
grant execute on function keep_user_totp to issuer;
