-- The Ethereum accounts that sign a user in, the oldest first.
create or replace function user_wallet_list(subject text) returns table (address text, added_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select w.address, w.added_at from user_wallets w where w.user_subject = subject order by w.added_at, w.address
$$;
revoke all on function user_wallet_list from public;
grant execute on function user_wallet_list to issuer;
