-- Charges a batch of requests to the open periods: all ledger rows, days and balances commit together. A
-- request that was already charged costs nothing more. When an account cannot pay for all of its requests,
-- they are charged one by one, so that small ones still fit. A charge that arrives after its period closed
-- goes to the next period. Returns one row per account; `refused` holds the positions, from 1, of its unpaid
-- requests.
create or replace function charge_batch(
  request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[]
) returns table (account_id uuid, granted bigint, available bigint, period_ends_in_s integer, refused integer[])
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  fits boolean;
  complete boolean;
  refusals integer[] := '{}';
  request record;
begin
  for attempt in 1..2 loop
    -- Must run before any lock, so that all sessions lock periods in one order.
    perform ensure_periods(account_ids);
    -- Locks the rows in the order of the accounts, so that everything below is exact.
    select bool_and(cost <= free), count(*) = (select count(distinct id) from unnest(account_ids) u(id))
      into fits, complete from (
      select w.cost, p.granted - p.posted as free
      from (select id, sum(cost) as cost from unnest(account_ids, costs) u(id, cost) group by id) w
      join credit_periods p on p.account_id = w.id and p.is_open and p.fresh_until > now()
      order by p.account_id for update of p) locked;
    exit when complete;
  end loop;
  if fits then
    with entry as (
      insert into ledger_entries (request_id, kind, account_id, n, credits, endpoint, price_input, at)
      select u.request_id, 'charge', p.account_id, p.n, u.cost, u.endpoint, u.price_input, greatest(now(), p.starts_at)
      from unnest(request_ids, account_ids, costs, endpoints, price_inputs) u(request_id, id, cost, endpoint, price_input)
      join credit_periods p on p.account_id = u.id and p.is_open
      on conflict do nothing
      returning account_id, n, credits, endpoint, at
    ), counted as (
      insert into usage_days as d (account_id, day, endpoint, calls, credits)
      select account_id, (at at time zone 'UTC')::date as day, endpoint, count(*), sum(credits)
      from entry group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, day, endpoint)
        do update set calls = d.calls + excluded.calls, credits = d.credits + excluded.credits
    )
    update credit_periods p set posted = posted + s.credits
    from (select account_id, n, sum(credits) as credits from entry group by account_id, n) s
    where p.account_id = s.account_id and p.n = s.n;
  else
    for request in
      select u.*, p.n from unnest(request_ids, account_ids, costs, endpoints, price_inputs)
        with ordinality u(request_id, id, cost, endpoint, price_input, position)
      join credit_periods p on p.account_id = u.id and p.is_open
      order by u.position
    loop
      continue when exists (select from ledger_entries l where l.request_id = request.request_id and l.kind = 'charge');
      if exists (select from credit_periods p where p.account_id = request.id and p.n = request.n
          and p.posted + request.cost <= p.granted) then
        perform post_entry(request.request_id, 'charge', request.id, request.n, request.cost, request.endpoint,
          request.price_input);
      else
        refusals := refusals || request.position::integer;
      end if;
    end loop;
  end if;
  return query
    select p.account_id, p.granted, p.granted - p.posted,
      ceil(extract(epoch from p.ends_at - now()))::integer,
      array(select r from unnest(refusals) r where account_ids[r] = p.account_id)
    from credit_periods p
    where p.account_id = any(account_ids) and p.is_open;
end $$;
revoke all on function charge_batch from public;
grant execute on function charge_batch to meter;
