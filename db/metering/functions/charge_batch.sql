-- Charges a batch of requests to the open periods: all ledger rows, days and balances commit together. A
-- request that was already charged costs nothing more. When an account cannot pay for all of its requests,
-- they are charged one by one, so that small ones still fit. A charge that arrives after its period closed
-- goes to the next period. Returns one row per account; `refused` holds the positions, from 1, of its unpaid
-- requests.
-- The ledger is written before the balances, because other processes wait for a balance until this transaction
-- ends. Balances are locked in the order of the accounts, so that no two batches wait for each other.
create or replace function charge_batch(
  request_ids uuid[], account_ids uuid[], costs bigint[], endpoints text[], price_inputs text[]
) returns table (account_id uuid, granted bigint, available bigint, period_ends_in_s integer, refused integer[])
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  spent record;
begin
  for spent in
    with entry as (
      insert into ledger_entries as l (request_id, kind, account_id, n, credits, endpoint, price_input, at)
      select u.request_id, 'charge', p.account_id, p.n, u.cost, u.endpoint, u.price_input, greatest(now(), p.starts_at)
      from unnest(request_ids, account_ids, costs, endpoints, price_inputs) u(request_id, id, cost, endpoint, price_input)
      join credit_periods p on p.account_id = u.id and p.is_open
      on conflict do nothing
      returning l.request_id, l.account_id, l.n, l.credits, l.endpoint, l.at
    )
    -- An account without entries has no open period yet, or was charged already.
    select a.id, e.n, (e.at at time zone 'UTC')::date as day, sum(e.credits)::bigint as credits,
      array_agg(e.request_id) as requests, array_agg(e.endpoint) as endpoints, array_agg(e.credits) as costs
    from (select distinct id from unnest(account_ids) u(id)) a left join entry e on e.account_id = a.id
    group by a.id, e.n, e.at order by a.id
  loop
    update credit_periods p set posted = p.posted + spent.credits
    where p.account_id = spent.id and p.n = spent.n and p.is_open and p.fresh_until > now()
      and p.posted + spent.credits <= p.granted
    returning p.account_id, p.granted, p.granted - p.posted, ceil(extract(epoch from p.ends_at - now()))::integer
    into account_id, granted, available, period_ends_in_s;
    if found then
      insert into usage_days as d (account_id, day, endpoint, calls, credits)
      select spent.id, spent.day, c.endpoint, count(*), sum(c.cost)
      from unnest(spent.endpoints, spent.costs) c(endpoint, cost) group by c.endpoint order by c.endpoint
      on conflict on constraint usage_days_pkey
        do update set calls = d.calls + excluded.calls, credits = d.credits + excluded.credits;
      refused := '{}';
      return next;
    else
      -- Nobody has seen these entries.
      delete from ledger_entries l where l.request_id = any(spent.requests) and l.kind = 'charge';
      refused := charge_singly(spent.id, request_ids, account_ids, costs, endpoints, price_inputs);
      return query
        select p.account_id, p.granted, p.granted - p.posted, ceil(extract(epoch from p.ends_at - now()))::integer,
          refused
        from credit_periods p where p.account_id = spent.id and p.is_open;
    end if;
  end loop;
end $$;
revoke all on function charge_batch from public;
grant execute on function charge_batch to meter;
