-- The account signs the user in no more.
create or replace function remove_user_wallet(subject text, address text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from user_wallets w where w.user_subject = subject and w.address = remove_user_wallet.address
$$;
revoke all on function remove_user_wallet from public;
grant execute on function remove_user_wallet to issuer;
