-- The user whom an Ethereum account signs in. null: nobody, or the user is disabled.
create or replace function user_of_wallet(address text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select u.subject from user_wallets w join users u on u.subject = w.user_subject
  where w.address = user_of_wallet.address and u.disabled_at is null
$$;
revoke all on function user_of_wallet from public;
grant execute on function user_of_wallet to issuer;
