-- Lets an Ethereum account sign a user in. False: it signs in another one.
create or replace function add_user_wallet(subject text, address text) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with added as (
    insert into user_wallets as w (address, user_subject) values (add_user_wallet.address, subject)
    on conflict on constraint user_wallets_pkey do update set added_at = w.added_at
      where w.user_subject = excluded.user_subject
    returning 1
  )
  select exists (select from added)
$$;
revoke all on function add_user_wallet from public;
grant execute on function add_user_wallet to issuer;
