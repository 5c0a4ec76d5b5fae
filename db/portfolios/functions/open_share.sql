-- Returns the portfolio of a token and its owner, or a refusal: 'unknown' (also revoked), 'unentitled' (the
-- owner has no Degen), 'passcode' (missing, wrong, or locked).
create or replace function open_share(token_hash bytea, keyed_passcode bytea)
returns table (refusal text, portfolio_id uuid, account_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  share record;
begin
  select s.id, s.portfolio_id, s.passcode_hash, p.account_id, a.degen into share
    from portfolio_shares s
    join portfolios p on p.id = s.portfolio_id
    join accounts a on a.id = p.account_id
    where s.token_hash = open_share.token_hash and s.revoked_at is null;
  refusal := case
    when not found then 'unknown'
    when not share.degen then 'unentitled'
    when share.passcode_hash is not null and not try_passcode(share.id, keyed_passcode) then 'passcode'
  end;
  if refusal is null then
    portfolio_id := share.portfolio_id;
    account_id := share.account_id;
  end if;
  return next;
end $$;
revoke all on function open_share from public;
grant execute on function open_share to meter, gateway;
