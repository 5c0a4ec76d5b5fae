-- The open period of each account, right as of now. Made on demand: no job has to run at midnight.
create or replace function ensure_periods(account_ids uuid[]) returns void
language plpgsql as $$
declare
  account uuid;
begin
  if not exists (
    select from unnest(account_ids) u(id) where not exists (
      select from credit_periods p where p.account_id = u.id and p.is_open and p.fresh_until > now()))
  then return; end if;
  -- All of them, not the stale alone: whoever holds one of these locks takes the next in the same order.
  for account in select distinct u.id from unnest(account_ids) u(id) order by u.id
  loop
    perform refresh_period(account);
  end loop;
end $$;
revoke all on function ensure_periods from public;
