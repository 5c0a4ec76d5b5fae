-- Holds credits under an id until they are posted or voided, `lasts` at the longest. The same id again says what became
-- of it: pending, posted, voided, expired; refused: the credits are not there.
create or replace function reserve_credits(
  id uuid, account_id uuid, credits bigint, endpoint text, price_input text, lasts interval
) returns table (state text, granted bigint, available bigint, period_ends_in_s integer)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
begin
  select r.state into state from reservations r
    where r.id = reserve_credits.id and r.account_id = reserve_credits.account_id;
  if state is null and period.posted + period.reserved + credits > period.granted then
    state := 'refused';
  elsif state is null then
    insert into reservations (id, account_id, n, credits, endpoint, price_input, expires_at)
      values (id, account_id, period.n, credits, endpoint, price_input, now() + lasts);
    update credit_periods p set reserved = p.reserved + credits, fresh_until = least(p.fresh_until, now() + lasts)
      where p.account_id = period.account_id and p.n = period.n returning * into period;
    state := 'pending';
  end if;
  granted := period.granted;
  available := period.granted - period.posted - period.reserved;
  period_ends_in_s := ceil(extract(epoch from period.ends_at - now()));
  return next;
end $$;
revoke all on function reserve_credits from public;
grant execute on function reserve_credits to meter;
