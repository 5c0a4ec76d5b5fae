-- Writes one ledger entry and adds it to its day and its period. The caller has locked the period. False: the
-- entry exists already.
create or replace function post_entry(
  request_id uuid, kind text, account_id uuid, n integer, credits bigint, endpoint text, price_input text
) returns boolean
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  change bigint := case kind when 'refund' then -credits else credits end;
  entry_at timestamptz;
begin
  insert into ledger_entries as l (request_id, kind, account_id, n, credits, endpoint, price_input, at)
    select request_id, kind, account_id, n, credits, endpoint, price_input, greatest(now(), p.starts_at)
    from credit_periods p where p.account_id = post_entry.account_id and p.n = post_entry.n
    on conflict do nothing returning l.at into entry_at;
  if entry_at is null then return false; end if;
  insert into usage_days as d (account_id, day, endpoint, calls, credits)
    values (account_id, (entry_at at time zone 'UTC')::date, endpoint, (kind = 'charge')::integer, change)
    on conflict on constraint usage_days_pkey
      do update set calls = d.calls + excluded.calls, credits = d.credits + excluded.credits;
  update credit_periods p set posted = p.posted + change
    where p.account_id = post_entry.account_id and p.n = post_entry.n;
  return true;
end $$;
revoke all on function post_entry from public;
