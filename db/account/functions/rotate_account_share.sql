-- Replaces the token of a link. The old one stops working at once, and the count of wrong passcodes is reset.
-- False: the account has no such link.
create or replace function rotate_account_share(account_id uuid, share_id uuid, token_hash bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update portfolio_shares s
    set token_hash = rotate_account_share.token_hash, wrong_passcodes = 0, locked_until = null
    from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = rotate_account_share.account_id;
  return found;
end $$;
revoke all on function rotate_account_share from public;
grant execute on function rotate_account_share to account;
