-- Accounts, keys, credits and rates. The API reaches all of it through the functions below, as role `meter`;
-- neither `meter` nor `api` has any right on the tables.

create table plans (
  id text primary key,
  credits_per_month bigint not null check (credits_per_month >= 0),
  requests_per_second integer not null check (requests_per_second between 1 and 100000),
  paid boolean not null
);
insert into plans (id, credits_per_month, requests_per_second, paid) values
  ('free', 20000, 2, false),
  ('starter', 1000000, 30, true),
  ('pro', 10000000, 100, true),
  ('enterprise', 100000000, 1000, true);

create table accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  plan text not null references plans,
  -- Agreed for this account alone; null: as the plan says.
  credits_per_month bigint check (credits_per_month >= 0),
  requests_per_second integer check (requests_per_second between 1 and 100000),
  -- Start of period 0; period n starts n whole months later.
  anchor_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (anchor_at <= created_at)
);

create table api_keys (
  hash bytea primary key check (octet_length(hash) = 32),  -- SHA-256 of the key; the key itself is not stored
  account_id uuid not null references accounts,
  prefix text not null,                -- what lists show of the key
  name text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

create table credit_periods (
  account_id uuid not null references accounts,
  n integer not null check (n >= 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  granted bigint not null,
  posted bigint not null default 0 check (posted >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  primary key (account_id, n),
  constraint never_overspent check (posted + reserved <= granted)
) with (fillfactor = 50);

-- Insert-only. The request ids are UUIDs of version 7, so the key grows at its right edge.
create table ledger_entries (
  request_id uuid not null,
  kind text not null check (kind in ('charge', 'refund', 'adjust')),
  account_id uuid not null,
  n integer not null,
  credits bigint not null,
  endpoint text not null,
  price_input text,                    -- what multiplied the price; null for a fixed one
  at timestamptz not null default now(),
  primary key (request_id, kind)
);

-- GCRA: when the next request would be due at an even pace, in microseconds of Unix time.
-- Unlogged: after a crash of the server every account has its burst again.
create unlogged table rate_states (
  account_id uuid primary key,
  due_us bigint not null
) with (fillfactor = 50);

-- First answers of PATCH and POST requests that carried an Idempotency-Key; kept for two days.
create table idempotent_answers (
  account_id uuid not null references accounts,
  key text not null,
  request_id uuid not null,            -- the request that was charged
  fingerprint bytea not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

create function period_start(anchor_at timestamptz, n integer) returns timestamptz
language sql immutable as $$
  select (anchor_at at time zone 'UTC' + make_interval(months => n)) at time zone 'UTC'
$$;

-- The period that holds an instant: always counted from the anchor, so that Jan 31, Feb 28, Mar 31 follow each other.
create function period_number(anchor_at timestamptz, at timestamptz) returns integer
language sql immutable as $$
  select greatest(0, months - (period_start(anchor_at, months) > at)::integer)
  from (select 12 * (extract(year from at at time zone 'UTC') - extract(year from anchor_at at time zone 'UTC'))::integer
             + (extract(month from at at time zone 'UTC') - extract(month from anchor_at at time zone 'UTC'))::integer as months)
$$;

-- The account of a key that is not revoked.
create function authenticate(key_hash bytea) returns table (account_id uuid, stored_hash bytea)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.account_id, k.hash from api_keys k where k.hash = key_hash and k.revoked_at is null
$$;

-- Takes `counts` requests from the rate of each account, by the clock of the database, and looks at its credits.
-- `allowed`: how many of them may pass. Locks in the order of the accounts, so that processes cannot deadlock.
create function admit(account_ids uuid[], counts integer[]) returns table (
  account_id uuid, plan text, paid boolean, requests_per_second integer,
  allowed integer, requests_left integer, full_in_us bigint, next_in_us bigint,
  granted bigint, available bigint, period_ends_in_s integer
)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  now_us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
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
    select l.id, l.count, a.plan, p.paid, a.anchor_at,
      coalesce(a.credits_per_month, p.credits_per_month) as credits,
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
    coalesce(c.granted, t.credits), coalesce(c.granted - c.posted - c.reserved, t.credits),
    ceil(extract(epoch from
      coalesce(c.ends_at, period_start(t.anchor_at, period_number(t.anchor_at, now()) + 1)) - now()))::integer
  from (select *, base_us + passed * gap_us as due from taken) t
  left join credit_periods c on c.account_id = t.id and c.starts_at <= now() and c.ends_at > now();
end $$;

-- The current period row of each account, made on demand. Everything else finds it by its bounds: that costs less than
-- to count the months for each request.
create function ensure_periods(account_ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into credit_periods (account_id, n, starts_at, ends_at, granted)
  select a.id, c.n, period_start(a.anchor_at, c.n), period_start(a.anchor_at, c.n + 1),
    coalesce(a.credits_per_month, p.credits_per_month)
  from (
    select distinct id from unnest(account_ids) u(id)
    where not exists (
      select from credit_periods e where e.account_id = u.id and e.starts_at <= now() and e.ends_at > now())
  ) missing
  join accounts a on a.id = missing.id join plans p on p.id = a.plan,
    lateral (select period_number(a.anchor_at, now()) as n) c
  order by a.id
  on conflict do nothing
$$;

-- Charges a batch of requests: all ledger rows and balances commit together. A request charged before costs nothing
-- more. When an account cannot pay for all of its requests they are taken one by one, so that small ones still fit.
-- One row per account; `refused` has the positions, from 1, of its requests that were not paid.
create function charge_batch(
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
      returning account_id, n, credits
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

-- Charges one PATCH or POST and files its commands in the same transaction. With an idempotency key the first answer
-- is kept with it, and given back (`replayed_body`) to every later request that has the same fingerprint;
-- one with another fingerprint is a `mismatch`.
create function charge_write(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text,
  commands jsonb, idempotency_key text, fingerprint bytea, body text
) returns table (
  granted bigint, available bigint, period_ends_in_s integer, refused boolean, replayed_body text, mismatch boolean
)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
  earlier idempotent_answers;
begin
  perform ensure_periods(array[account_id]);
  -- The writes of one account follow each other.
  perform from credit_periods p where p.account_id = charge_write.account_id for update;
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
    insert into outbox (workflow, workflow_id, input)
      select c->>'workflow', c->>'workflowId', c->'input' from jsonb_array_elements(commands) c;
    if idempotency_key is not null then
      delete from idempotent_answers i
        where i.account_id = charge_write.account_id and i.created_at < now() - interval '2 days';
      insert into idempotent_answers (account_id, key, request_id, fingerprint, body)
        values (account_id, idempotency_key, request_id, fingerprint, body);
    end if;
  end if;
  return next;
end $$;

revoke all on function
  period_start, period_number, authenticate, admit, ensure_periods, charge_batch, charge_write from public;
grant execute on function authenticate, admit, charge_batch, charge_write to meter;
