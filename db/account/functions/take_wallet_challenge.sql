-- Uses a nonce. No row: it was used before, has expired, or is of another sign-in or session.
create or replace function take_wallet_challenge(nonce_hash bytea, purpose text)
returns table (address text, issued_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  delete from wallet_challenges c
  where c.hash = nonce_hash and c.purpose = take_wallet_challenge.purpose and c.expires_at > now()
  returning c.address, c.issued_at
$$;
revoke all on function take_wallet_challenge from public;
grant execute on function take_wallet_challenge to issuer;
