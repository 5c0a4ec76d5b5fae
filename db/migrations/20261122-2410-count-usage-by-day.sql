-- What an account spends by day and endpoint, counted with the charges: a chart reads a few rows however long the
-- ledger is, and is never behind it. An index of the ledger would cost each charge more than a batch's few counters.
create table usage_days (
  account_id uuid not null references accounts,
  day date not null,                   -- in UTC
  endpoint text not null,
  calls bigint not null,               -- that were charged
  credits bigint not null,             -- charges less refunds
  primary key (account_id, day, endpoint)
) with (fillfactor = 50);

insert into usage_days (account_id, day, endpoint, calls, credits)
  select account_id, (at at time zone 'UTC')::date, endpoint, count(*), sum(credits)
  from ledger_entries where kind = 'charge' group by 1, 2, 3;

-- The days of an account from `since` on (UTC), each endpoint that was charged on it.
create function usage_by_day(account_id uuid, since date)
returns table (day date, endpoint text, calls bigint, credits bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.day, u.endpoint, u.calls, u.credits from usage_days u
  where u.account_id = usage_by_day.account_id and u.day >= since
  order by u.day, u.endpoint
$$;

-- As before, and counts what it charges.
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
    -- The row locks, in the order of the accounts, make everything below exact.
    select bool_and(cost <= free), count(*) = (select count(distinct id) from unnest(account_ids) u(id))
      into fits, complete from (
      select w.cost, p.granted - p.posted - p.reserved as free
      from (select id, sum(cost) as cost from unnest(account_ids, costs) u(id, cost) group by id) w
      join credit_periods p on p.account_id = w.id and p.starts_at <= now() and p.ends_at > now()
      order by p.account_id for update of p) locked;
    exit when complete;
    perform ensure_periods(account_ids);
  end loop;
  if fits then
    with entry as (
      insert into ledger_entries (request_id, kind, account_id, n, credits, endpoint, price_input)
      select u.request_id, 'charge', p.account_id, p.n, u.cost, u.endpoint, u.price_input
      from unnest(request_ids, account_ids, costs, endpoints, price_inputs) u(request_id, id, cost, endpoint, price_input)
      join credit_periods p on p.account_id = u.id and p.starts_at <= now() and p.ends_at > now()
      on conflict do nothing
      returning account_id, n, credits, endpoint
    ), counted as (
      -- In one order: around the end of a period two batches of an account may count at once.
      insert into usage_days as d (account_id, day, endpoint, calls, credits)
      select account_id, (now() at time zone 'UTC')::date, endpoint, count(*), sum(credits)
      from entry group by account_id, endpoint order by account_id, endpoint
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
      join credit_periods p on p.account_id = u.id and p.starts_at <= now() and p.ends_at > now()
      order by u.position
    loop
      continue when exists (select from ledger_entries l where l.request_id = request.request_id and l.kind = 'charge');
      update credit_periods p set posted = posted + request.cost
        where p.account_id = request.id and p.n = request.n and posted + reserved + request.cost <= granted;
      if found then
        insert into ledger_entries (request_id, kind, account_id, n, credits, endpoint, price_input)
        values (request.request_id, 'charge', request.id, request.n, request.cost, request.endpoint, request.price_input);
        insert into usage_days as d (account_id, day, endpoint, calls, credits)
        values (request.id, (now() at time zone 'UTC')::date, request.endpoint, 1, request.cost)
        on conflict (account_id, day, endpoint)
          do update set calls = d.calls + 1, credits = d.credits + excluded.credits;
      else
        refusals := refusals || request.position::integer;
      end if;
    end loop;
  end if;
  return query
    select p.account_id, p.granted, p.granted - p.posted - p.reserved,
      ceil(extract(epoch from p.ends_at - now()))::integer,
      array(select r from unnest(refusals) r where account_ids[r] = p.account_id)
    from credit_periods p
    where p.account_id = any(account_ids) and p.starts_at <= now() and p.ends_at > now();
end $$;

revoke all on function usage_by_day from public;
