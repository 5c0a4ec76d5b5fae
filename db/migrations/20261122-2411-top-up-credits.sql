-- Top-ups, reservations and refunds. One period of an account is open; everything is charged to it. `granted` is the
-- plan's credits and those of the top-ups that are valid: the plan's are spent first, then the top-ups, the one that
-- expires next first. What a period spent of the top-ups is written into them when that matters: when one of them
-- expires, and at the end of the period. What is left goes on into the next one.

alter table credit_periods
  add is_open boolean not null default true,
  add topped_up bigint not null default 0 check (topped_up >= 0),        -- of `granted`: top-ups
  add topups_spent bigint not null default 0 check (topups_spent >= 0),  -- written into them already
  -- Until then the row is right as it stands: its end, or before it the next expiry of a top-up or a reservation.
  add fresh_until timestamptz;
update credit_periods p set fresh_until = ends_at,
  is_open = n = (select max(n) from credit_periods o where o.account_id = p.account_id);
alter table credit_periods alter fresh_until set not null;
create unique index credit_periods_open on credit_periods (account_id) where is_open;

create table credit_grants (
  id text primary key check (id ~ '^[\x21-\x7e]{1,255}$'),  -- the caller's: the same twice is one top-up
  account_id uuid not null references accounts,
  credits bigint not null check (credits between 1 and 1000000000000000),
  spent bigint not null default 0 check (spent between 0 and credits),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index credit_grants_by_account on credit_grants (account_id, expires_at);

-- Credits that are held for work that costs money before its answer is there. Each is posted, voided or expired once.
create table reservations (
  id uuid primary key,
  account_id uuid not null references accounts,
  n integer not null,
  credits bigint not null check (credits > 0),
  posted bigint check (posted between 0 and credits),
  state text not null default 'pending' check (state in ('pending', 'posted', 'voided', 'expired')),
  endpoint text not null,
  price_input text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((state = 'posted') = (posted is not null))
);
create index reservations_pending on reservations (account_id, expires_at) where state = 'pending';

-- What the top-ups of an account still have, and when its open period has to be looked at again because one of them or
-- a reservation expires.
create function valid_top_ups(account_id uuid) returns table (credits bigint, next_at timestamptz)
language sql stable set search_path = public, pg_temp as $$
  select coalesce(g.credits, 0), least(g.next_at, r.next_at)
  from (select sum(c.credits - c.spent)::bigint as credits, min(c.expires_at) as next_at from credit_grants c
        where c.account_id = valid_top_ups.account_id and c.spent < c.credits and c.expires_at > now()) g,
       (select min(p.expires_at) as next_at from reservations p
        where p.account_id = valid_top_ups.account_id and p.state = 'pending' and p.expires_at > now()) r
$$;

-- Brings the open period of an account to the present: lets reservations and top-ups expire, closes a period that has
-- ended, opens the one of now.
create function refresh_period(account_id uuid) returns void
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  account uuid := refresh_period.account_id;
  period credit_periods;
  unwritten bigint;
begin
  perform from credit_periods p where p.account_id = account and p.is_open for update;
  with gone as (
    update reservations r set state = 'expired'
    where r.account_id = account and r.state = 'pending' and r.expires_at <= now() returning r.n, r.credits
  )
  update credit_periods p set reserved = p.reserved - g.credits
  from (select n, sum(credits) as credits from gone group by n) g
  where p.account_id = account and p.n = g.n;
  select * into period from credit_periods p where p.account_id = account and p.is_open;
  -- Another one may have been faster.
  if period.fresh_until > now() then return; end if;

  if period.n is not null then
    unwritten := 0;
    if period.ends_at <= now() or exists (
      select from credit_grants where account_id = account and spent < credits
        and expires_at >= period.fresh_until and expires_at <= now())
    then
      unwritten := greatest(0,
        period.posted + period.reserved - (period.granted - period.topped_up) - period.topups_spent);
    end if;
    update credit_grants g set spent = g.spent + t.credits
    from (
      select id, least(left_over, greatest(0, unwritten - before)) as credits
      from (
        select id, credits - spent as left_over, coalesce(sum(credits - spent)
          over (order by expires_at, id rows between unbounded preceding and 1 preceding), 0) as before
        -- Those that were valid until now: it is fresh no longer than any of them.
        from credit_grants where account_id = account and spent < credits and expires_at >= period.fresh_until
      ) valid
    ) t
    where g.id = t.id and t.credits > 0;
    update credit_periods p set topups_spent = topups_spent + unwritten, is_open = p.ends_at > now(),
      topped_up = case when p.ends_at > now() then p.topups_spent + unwritten + v.credits else p.topped_up end,
      granted = case when p.ends_at > now()
        then p.granted - p.topped_up + p.topups_spent + unwritten + v.credits else p.granted end,
      fresh_until = least(p.ends_at, v.next_at)
    from valid_top_ups(account) v where p.account_id = account and p.n = period.n;
    if period.ends_at > now() then return; end if;
  end if;
  -- The plan is read only now: a change of it holds the lock of the period before.
  insert into credit_periods (account_id, n, starts_at, ends_at, granted, topped_up, fresh_until)
  select a.id, c.n, period_start(a.anchor_at, c.n), c.ends_at,
    coalesce(a.credits_per_month, p.credits_per_month) + v.credits, v.credits, least(c.ends_at, v.next_at)
  from accounts a join plans p on p.id = a.plan, valid_top_ups(a.id) v,
    lateral (select period_number(a.anchor_at, now()) as n) m,
    lateral (select m.n, period_start(a.anchor_at, m.n + 1) as ends_at) c
  where a.id = account
  on conflict do nothing;
  -- Another one made it: its lock as well is taken in the order of the accounts, not later.
  if not found then
    perform from credit_periods p where p.account_id = account and p.is_open for update;
  end if;
end $$;

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

-- The open period, locked. Null: there is no such account.
create function lock_period(account_id uuid) returns credit_periods
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

-- Writes one entry of the ledger, its day and its period, whose row is locked. False: it is there already.
create function post_entry(
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

-- As before, to the open period. A charge that began before its period closed and comes after it, is one of the next.
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
    -- While nothing is locked, so that periods are locked in one order by everybody.
    perform ensure_periods(account_ids);
    -- The row locks, in the order of the accounts, make everything below exact.
    select bool_and(cost <= free), count(*) = (select count(distinct id) from unnest(account_ids) u(id))
      into fits, complete from (
      select w.cost, p.granted - p.posted - p.reserved as free
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
          and p.posted + p.reserved + request.cost <= p.granted) then
        perform post_entry(request.request_id, 'charge', request.id, request.n, request.cost, request.endpoint,
          request.price_input);
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
    where p.account_id = any(account_ids) and p.is_open;
end $$;

-- As before; the first request of a period opens it, so that what is looked at is what will be charged.
create or replace function admit(account_ids uuid[], counts integer[]) returns table (
  account_id uuid, plan text, paid boolean, requests_per_second integer,
  allowed integer, requests_left integer, full_in_us bigint, next_in_us bigint,
  granted bigint, available bigint, period_ends_in_s integer
)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  perform ensure_periods(account_ids);
  insert into rate_states (account_id, due_us)
    select w.id, 0 from unnest(account_ids) w(id)
    where not exists (select from rate_states r where r.account_id = w.id) order by w.id
    on conflict do nothing;
  return query
  with locked as materialized (
    select r.account_id as id, r.due_us, w.count from unnest(account_ids, counts) w(id, count)
    join rate_states r on r.account_id = w.id
    order by r.account_id for update of r
  ), limits as (
    select l.id, l.count, a.plan, p.paid,
      coalesce(a.requests_per_second, p.requests_per_second) as rate,
      -- Rounded up: never faster than the rate.
      (999999 + coalesce(a.requests_per_second, p.requests_per_second)) / coalesce(a.requests_per_second, p.requests_per_second) as gap_us,
      l.due_us
    from locked l join accounts a on a.id = l.id join plans p on p.id = a.plan
  ), taken as (
    select t.*, least(t.count, (now_us + t.rate * t.gap_us - t.base_us) / t.gap_us)::integer as passed
    -- A due time further away than a full burst comes from a clock that was set back.
    from (select *, least(greatest(due_us, now_us), now_us + rate * gap_us::bigint) as base_us from limits) t
  ), stored as (
    update rate_states r set due_us = t.base_us + t.passed * t.gap_us from taken t where r.account_id = t.id
  )
  select t.id, t.plan, t.paid, t.rate, t.passed,
    ((now_us + t.rate * t.gap_us - due) / t.gap_us)::integer, due - now_us,
    greatest(0, due + t.gap_us - t.rate * t.gap_us - now_us),
    c.granted, c.granted - c.posted - c.reserved, ceil(extract(epoch from c.ends_at - now()))::integer
  from (select *, base_us + passed * gap_us as due from taken) t
  join credit_periods c on c.account_id = t.id and c.is_open;
end $$;

-- As before; the writes of one account follow each other by the lock of its open period.
create or replace function charge_write(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text,
  commands jsonb, idempotency_key text, fingerprint bytea, body text, writes jsonb default '[]'
) returns table (
  granted bigint, available bigint, period_ends_in_s integer, refused boolean, replayed_body text, mismatch boolean
)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  earlier idempotent_answers;
begin
  perform lock_period(account_id);
  if idempotency_key is not null then
    select * into earlier from idempotent_answers i
      where i.account_id = charge_write.account_id and i.key = idempotency_key;
  end if;
  if earlier.key is not null then
    select c.granted, c.available, c.period_ends_in_s, false, earlier.fingerprint <> fingerprint
      into granted, available, period_ends_in_s, refused, mismatch
      from charge_batch(array[earlier.request_id], array[account_id], array[0::bigint], array[endpoint], array[price_input]) c;
    replayed_body := case when not mismatch then earlier.body end;
    return next;
    return;
  end if;
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}', false
    into granted, available, period_ends_in_s, refused, mismatch
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused then
    perform apply_portfolio_writes(account_id, writes);
    insert into outbox (workflow, workflow_id, input, signal)
      select c->>'workflow', c->>'workflowId', c->'input', c->>'signal' from jsonb_array_elements(commands) c;
    if idempotency_key is not null then
      delete from idempotent_answers i
        where i.account_id = charge_write.account_id and i.created_at < now() - interval '2 days';
      insert into idempotent_answers (account_id, key, request_id, fingerprint, body)
        values (account_id, idempotency_key, request_id, fingerprint, body);
    end if;
  end if;
  return next;
end $$;

-- Charges one request and gives back the part of it that failed by our fault, in one transaction.
create function charge_in_part(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text, refund bigint
) returns table (granted bigint, available bigint, period_ends_in_s integer, refused boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}'
    into granted, available, period_ends_in_s, refused
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused and refund_charge(request_id, refund) then available := available + refund; end if;
  return next;
end $$;

-- Gives back a charge or a part of it, once and while its period is open. False: there is nothing to give back; what was
-- left of a closed period has expired, and a top-up makes good for it.
create function refund_charge(request_id uuid, credits bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  charge ledger_entries;
  period credit_periods;
begin
  select * into charge from ledger_entries l where l.request_id = refund_charge.request_id and l.kind = 'charge';
  if charge.n is null or credits <= 0 or credits > charge.credits then return false; end if;
  period := lock_period(charge.account_id);
  if period.n <> charge.n then return false; end if;
  return post_entry(request_id, 'refund', charge.account_id, charge.n, credits, charge.endpoint, charge.price_input);
end $$;

-- Holds credits under an id until they are posted or voided, `lasts` at the longest. The same id again says what became
-- of it: pending, posted, voided, expired; refused: the credits are not there.
create function reserve_credits(
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

-- Ends a reservation: posts up to its credits, or voids it with null. Answers what became of it, which for one that has
-- ended before is what it was, and for one past its time is expired; null: there is none.
create function resolve_reservation(id uuid, credits bigint) returns text
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

-- Adds credits to an account until `expires_at`; null: to the end of its period. The same id again adds nothing.
create function grant_credits(grant_id text, account_id uuid, credits bigint, expires_at timestamptz default null)
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

-- Moves an account to another plan. The running period is granted the new plan's credits, and at least what it has
-- spent of the old one's; top-ups are left as they are.
create function change_plan(account_id uuid, plan text) returns void
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  period credit_periods := lock_period(account_id);
begin
  update accounts a set plan = change_plan.plan where a.id = change_plan.account_id;
  update credit_periods c set granted = c.topped_up + greatest(
      coalesce(a.credits_per_month, p.credits_per_month), least(c.granted - c.topped_up, c.posted + c.reserved))
    from accounts a join plans p on p.id = a.plan
    where a.id = change_plan.account_id and c.account_id = a.id and c.n = period.n;
end $$;

revoke all on function
  valid_top_ups, refresh_period, lock_period, post_entry, charge_in_part, refund_charge, reserve_credits,
  resolve_reservation, grant_credits, change_plan from public;
grant execute on function charge_in_part, refund_charge, reserve_credits, resolve_reservation to meter;
