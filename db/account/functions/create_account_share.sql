-- False: the account has no such portfolio, no Degen, or already 100 links to the portfolio.
create or replace function create_account_share(
  account_id uuid, portfolio_id uuid, share_id uuid, token_hash bytea, keyed_passcode bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  perform from accounts a where a.id = account_id and a.degen for no key update;
  if not found then
    return false;
  end if;
  insert into portfolio_shares (id, portfolio_id, token_hash, passcode_hash)
    select share_id, p.id, token_hash, share_passcode_hash(share_id, keyed_passcode) from portfolios p
    where p.id = create_account_share.portfolio_id and p.account_id = create_account_share.account_id
      and (select count(*) < 100 from portfolio_shares s where s.portfolio_id = p.id and s.revoked_at is null);
  return found;
end $$;
revoke all on function create_account_share from public;
grant execute on function create_account_share to account;
