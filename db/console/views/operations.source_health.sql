-- Successes and failures of each source, its used quota, and the number of its quarantined rows.
create or replace view operations.source_health as
select s.source, s.last_success_at, s.last_failure_at, s.last_failure, s.consecutive_failures,
  nullif(s.next_request_at, '-infinity') as next_request_at,
  used.requests_24h, used.failures_24h, used.requests_today, used.requests_this_month, hours.requests_by_hour,
  hours.failures_by_hour, (select count(*)::int from quarantine q where q.source = s.source) as quarantined,
  -- Of an allowance that it shares, in the units of the vendor; of its own, requests.
  coalesce(shared.today, used.requests_today)::float8 as spent_today,
  coalesce(shared.this_month, used.requests_this_month)::float8 as spent_this_month,
  s.data_age_s
from source_states s
cross join lateral (
  select coalesce(sum(requests) filter (where hour > now() - interval '24 hours'), 0)::int as requests_24h,
    coalesce(sum(failures) filter (where hour > now() - interval '24 hours'), 0)::int as failures_24h,
    coalesce(sum(requests) filter (where hour >= date_trunc('day', now(), 'UTC')), 0)::int as requests_today,
    coalesce(sum(requests) filter (where hour >= date_trunc('month', now(), 'UTC')), 0)::int as requests_this_month
  from source_hours h where h.source = s.source and hour > now() - interval '32 days'
) used
left join lateral (
  select coalesce(sum(u.units) filter (where u.day = date_trunc('day', now(), 'UTC')), 0) as today,
    coalesce(sum(u.units), 0) as this_month
  from sources own left join source_usage u
    on u.account = own.account and u.day >= date_trunc('month', now(), 'UTC')
  where own.name = s.source and own.account is not null group by own.name
) shared on true
-- The last 24 hours, current hour last.
cross join lateral (
  select array_agg(coalesce(h.requests, 0) order by day.at) as requests_by_hour,
    array_agg(coalesce(h.failures, 0) order by day.at) as failures_by_hour
  from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours', now(), interval '1 hour') day (at)
  left join source_hours h on h.hour = day.at and h.source = s.source
) hours;
grant select on operations.source_health to console;
-- The worker exports this as metrics.
grant select on operations.source_health to ingest;
