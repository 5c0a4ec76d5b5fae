-- Share links of an account that are not revoked, newest first. Without Degen they do not work.
create or replace function account_shares(account_id uuid)
returns table (id uuid, portfolio_id uuid, passcode boolean, locked boolean, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.portfolio_id, s.passcode_hash is not null, coalesce(s.locked_until > now(), false), s.created_at
  from portfolio_shares s join portfolios p on p.id = s.portfolio_id
  where p.account_id = account_shares.account_id and s.revoked_at is null
  order by s.created_at desc, s.id
$$;
revoke all on function account_shares from public;
grant execute on function account_shares to account;
