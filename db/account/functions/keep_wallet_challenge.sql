-- Notes what a wallet is asked to sign, for some seconds. Also deletes what has expired.
create or replace function keep_wallet_challenge(nonce_hash bytea, purpose text, address text, issued_at timestamptz, seconds int)
returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from wallet_challenges c where c.expires_at <= now();
  insert into wallet_challenges (hash, purpose, address, issued_at, expires_at)
    values (nonce_hash, purpose, address, issued_at, now() + seconds * interval '1 second');
$$;
revoke all on function keep_wallet_challenge from public;
grant execute on function keep_wallet_challenge to issuer;
