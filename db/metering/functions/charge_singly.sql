-- Charges the requests of one account in a batch one by one, as far as its credits reach. Opens its period first if
-- needed. Returns the positions, from 1, of unpaid requests.
create or replace function charge_singly(
  account_id uuid, request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[]
) returns integer[]
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
  request record;
  refused integer[] := '{}';
begin
  for request in
    select u.* from unnest(request_ids, account_ids, costs, endpoints, price_inputs)
      with ordinality u(request_id, id, cost, endpoint, price_input, position)
    where u.id = charge_singly.account_id order by u.position
  loop
    if exists (select from ledger_entries l where l.request_id = request.request_id and l.kind = 'charge') then
      continue;
    elsif period.posted + request.cost > period.granted then
      refused := refused || request.position::integer;
    else
      perform post_entry(request.request_id, 'charge', account_id, period.n, request.cost, request.endpoint,
        request.price_input);
      period.posted := period.posted + request.cost;
    end if;
  end loop;
  return refused;
end $$;
revoke all on function charge_singly from public;
