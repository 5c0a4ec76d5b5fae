-- False: the account has no such link, or it is revoked already.
create or replace function revoke_account_share(account_id uuid, share_id uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update portfolio_shares s set revoked_at = now() from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = revoke_account_share.account_id;
  return found;
end $$;
revoke all on function revoke_account_share from public;
grant execute on function revoke_account_share to account;
