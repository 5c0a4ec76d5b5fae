-- Locks and returns the open period; null: there is no such account.
create or replace function lock_period(account_id uuid) returns credit_periods
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods;
begin
  for attempt in 1..2 loop
    perform ensure_periods(array[account_id]);
    select * into period from credit_periods p
      where p.account_id = lock_period.account_id and p.is_open and p.fresh_until > now() for update;
    exit when found;
  end loop;
  return period;
end $$;
revoke all on function lock_period from public;
