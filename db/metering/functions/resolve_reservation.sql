-- Ends a reservation: posts up to its credits, or voids it with null. Answers what became of it, which for one that has
-- ended before is what it was, and for one past its time is expired; null: there is none.
create or replace function resolve_reservation(id uuid, credits bigint) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  held reservations;
begin
  select * into held from reservations r where r.id = resolve_reservation.id;
  -- The open period first, as everybody does: what is held may be of one before it.
  perform lock_period(held.account_id);
  perform from credit_periods p where p.account_id = held.account_id and p.n = held.n for update;
  select * into held from reservations r where r.id = resolve_reservation.id for update;
  if held.state is distinct from 'pending' then return held.state; end if;
  if credits > held.credits then
    raise exception 'more than the % reserved', held.credits using errcode = 'check_violation';
  end if;
  -- One of a closed period expires with its time as well.
  update reservations r set posted = case when r.expires_at > now() then credits end,
    state = case when r.expires_at <= now() then 'expired' when credits is null then 'voided' else 'posted' end
    where r.id = held.id returning * into held;
  update credit_periods p set reserved = p.reserved - held.credits
    where p.account_id = held.account_id and p.n = held.n;
  if held.posted > 0 then
    perform post_entry(held.id, 'charge', held.account_id, held.n, held.posted, held.endpoint, held.price_input);
  end if;
  return held.state;
end $$;
revoke all on function resolve_reservation from public;
grant execute on function resolve_reservation to meter;
