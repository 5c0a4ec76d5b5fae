-- Opens or refreshes the period of each account on demand, so that no job has to run at midnight.
create or replace function ensure_periods(account_ids uuid[]) returns void
language plpgsql as $$
declare
  account uuid;
begin
  if not exists (
    select from unnest(account_ids) u(id) where not exists (
      select from credit_periods p where p.account_id = u.id and p.is_open and p.fresh_until > now()))
  then return; end if;
  -- Refreshes all accounts, not only stale ones, so that all sessions take these locks in one order.
  for account in select distinct u.id from unnest(account_ids) u(id) order by u.id
  loop
    perform refresh_period(account);
  end loop;
end $$;
revoke all on function ensure_periods from public;
