-- The operators' console, as role `console`: it reads the views below, which show totals and states and nothing that is
-- a tenant's, and may ask for what was refused to be ingested again. It has no right on any table.
create schema operations;

-- Who may see it: somebody at an OpenID provider, whether or not an account is linked with them.
create table operators (
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create function is_operator(issuer text, subject text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from operators o where o.issuer = is_operator.issuer and o.subject = is_operator.subject)
$$;

-- The sources as the worker runs them: it writes them down when it starts.
create table sources (
  name text primary key,
  area text not null,
  missing text,                        -- the variable that would switch it on; null: it is on
  freshness_target_s integer not null,
  requests_per_second double precision not null,
  burst integer not null,
  quota integer,                       -- requests that its free plan gives; null: no limit that counts here
  quota_per text check (quota_per in ('day', 'month'))
);

-- What refused a row, where that reads the same again when it is run again; null: it goes on from where it ended.
alter table quarantine
  add column activity text,
  add column input jsonb,
  -- Of its last retry. asked: it has not ended. refused, failed: it has, and the row stays; one that is accepted goes.
  add column retry_state text check (retry_state in ('asked', 'refused', 'failed')),
  add column retry_at timestamptz,
  add column retry_failure text;

grant select, insert, update, delete on sources to ingest;

create view operations.source_health as
select s.source, s.last_success_at, s.last_failure_at, s.last_failure, s.consecutive_failures,
  nullif(s.next_request_at, '-infinity') as next_request_at,
  used.requests_24h, used.failures_24h, used.requests_today, used.requests_this_month, hours.requests_by_hour,
  hours.failures_by_hour, (select count(*)::int from quarantine q where q.source = s.source) as quarantined
from source_states s
cross join lateral (
  select coalesce(sum(requests) filter (where hour > now() - interval '24 hours'), 0)::int as requests_24h,
    coalesce(sum(failures) filter (where hour > now() - interval '24 hours'), 0)::int as failures_24h,
    coalesce(sum(requests) filter (where hour >= date_trunc('day', now(), 'UTC')), 0)::int as requests_today,
    coalesce(sum(requests) filter (where hour >= date_trunc('month', now(), 'UTC')), 0)::int as requests_this_month
  from source_hours h where h.source = s.source and hour > now() - interval '32 days'
) used
-- The last 24 hours, the current one last.
cross join lateral (
  select array_agg(coalesce(h.requests, 0) order by day.at) as requests_by_hour,
    array_agg(coalesce(h.failures, 0) order by day.at) as failures_by_hour
  from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), interval '1 hour') day (at)
  left join source_hours h on h.hour = day.at and h.source = s.source
) hours;

create view operations.sources as
select s.name, s.area, s.missing, s.freshness_target_s, s.requests_per_second, s.burst, s.quota, s.quota_per,
  h.source is not null as known, h.last_success_at, h.last_failure_at, h.last_failure, h.consecutive_failures,
  h.next_request_at, h.requests_24h, h.failures_24h, h.requests_today, h.requests_this_month, h.requests_by_hour,
  h.failures_by_hour, h.quarantined
from sources s left join operations.source_health h on h.source = s.name;

-- What exchanges sent of the accounts there is the tenants': of that only how much there is.
create view operations.quarantine with (security_barrier) as
select q.id, q.source, q.area, q.reason, q.payload, q.fetched_at, q.activity, q.retry_state, q.retry_at, q.retry_failure
from quarantine q where q.area <> 'exchanges';

create view operations.quarantine_reasons as
select q.source, q.area, case when q.area <> 'exchanges' then q.reason end as reason, count(*)::int as rows,
  max(q.fetched_at) as newest_at
from quarantine q group by 1, 2, 3;

-- What was asked for and is not done: commands that no workflow was started for, wallets and exchanges that were never
-- read to their end, those whose last sync failed, and how old the oldest of the others is.
create view operations.queue as
select o.commands, o.oldest_command_at, w.wallets, w.wallets_begun, w.wallets_failed, w.oldest_wallet_at,
  e.exchanges, e.exchanges_begun, e.exchanges_failed, e.oldest_exchange_at
from (
  select count(*)::int as commands, min(created_at) as oldest_command_at from outbox where dispatched_at is null
) o, (
  select count(*)::int as wallets,
    count(*) filter (where synced_at is null and failed_at is null)::int as wallets_begun,
    count(*) filter (where failed_at > coalesce(synced_at, '-infinity'))::int as wallets_failed,
    min(synced_at) as oldest_wallet_at
  from wallet_syncs
) w, (
  select count(*)::int as exchanges,
    count(*) filter (where synced_at is null and failed_at is null)::int as exchanges_begun,
    count(*) filter (where failed_at > coalesce(synced_at, '-infinity'))::int as exchanges_failed,
    min(synced_at) as oldest_exchange_at
  from exchange_connections
) e;

-- The last 30 days (UTC), today included.
create view operations.usage as
select u.day, u.endpoint, sum(u.calls)::bigint as calls, sum(u.credits)::bigint as credits
from usage_days u where u.day > (now() at time zone 'UTC')::date - 30 group by u.day, u.endpoint;

create view operations.customers as
select a.id, a.name, a.plan, used.calls, used.credits, c.granted, c.posted
from accounts a
join (
  select account_id, sum(calls)::bigint as calls, sum(credits)::bigint as credits from usage_days
  where day > (now() at time zone 'UTC')::date - 30 group by account_id
) used on used.account_id = a.id
left join credit_periods c on c.account_id = a.id and c.is_open;

-- By the day on which they were claimed. Their ids grow with time, which saves an index.
create view operations.payment_days as
select (p.claimed_at at time zone 'UTC')::date as day, p.state, count(*)::int as payments, sum(p.amount)::numeric as amount
from payments p
where p.id >= (select uuidv7(interval '-31 days')) and (p.claimed_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - 30
group by 1, 2;

-- Neither who pays nor what was signed.
create view operations.open_payments as
select p.id, p.state, p.amount, p.claimed_at, p.settles, p.last_error
from payments p where p.state in ('claimed', 'settling', 'unknown');

-- Asks for a refused row to be ingested again. False: there is none such, or it cannot be, or is being retried.
create function retry_quarantined(id bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update quarantine q set retry_state = 'asked', retry_at = now(), retry_failure = null
    where q.id = retry_quarantined.id and q.activity is not null and q.area <> 'exchanges'
      -- One whose workflow was ended by hand may be asked for again.
      and (q.retry_state is distinct from 'asked' or q.retry_at < now() - interval '1 hour');
  if found then
    insert into outbox (workflow, workflow_id, input)
      values ('retryQuarantined', 'retry-quarantined:' || id, jsonb_build_object('id', id::text));
  end if;
  return found;
end $$;

revoke all on function is_operator, retry_quarantined from public;
grant execute on function is_operator, retry_quarantined to console;
grant usage on schema operations to console;
grant select on all tables in schema operations to console;
-- A worker shows how its sources stand.
grant usage on schema operations to ingest;
grant select on operations.source_health to ingest;
