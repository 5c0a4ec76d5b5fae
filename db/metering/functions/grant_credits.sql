-- Adds credits that expire at `expires_at`; null: at the end of the open period. A repeated id adds nothing.
create or replace function grant_credits(grant_id text, account_id uuid, credits bigint, expires_at timestamptz default null)
returns table (valid_until timestamptz, added boolean)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
  earlier credit_grants;
begin
  select * into earlier from credit_grants g where g.id = grant_id;
  if earlier.id is not null then
    if earlier.account_id <> account_id or earlier.credits <> credits then
      raise exception 'the id % is that of another top-up', grant_id using errcode = 'SL002';
    end if;
    valid_until := earlier.expires_at;
    added := false;
    return next;
    return;
  end if;
  valid_until := coalesce(expires_at, period.ends_at);
  if valid_until <= now() then
    raise exception 'a top-up has to expire in the future' using errcode = 'SL002';
  end if;
  insert into credit_grants (id, account_id, credits, expires_at) values (grant_id, account_id, credits, valid_until);
  update credit_periods p set granted = p.granted + credits, topped_up = p.topped_up + credits,
    fresh_until = least(p.fresh_until, valid_until)
    where p.account_id = period.account_id and p.n = period.n;
  added := true;
  return next;
end $$;
revoke all on function grant_credits from public;
