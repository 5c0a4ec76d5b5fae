-- The settings with which the workers run each source, as operators have changed them, and its health.
create or replace view operations.sources as
select s.name, s.area, s.missing, s.freshness_target_s,
  coalesce(o.requests_per_second, s.requests_per_second) as requests_per_second, coalesce(o.burst, s.burst) as burst,
  coalesce(o.quota, s.quota)::float8 as quota, coalesce(o.quota_per, s.quota_per) as quota_per,
  coalesce(s.unit, case when o.quota is not null then 'requests' end) as unit, s.account,
  h.source is not null as known, h.last_success_at, h.last_failure_at, h.last_failure, h.consecutive_failures,
  h.next_request_at, h.requests_24h, h.failures_24h, h.requests_today, h.requests_this_month, h.requests_by_hour,
  h.failures_by_hour, h.quarantined, h.spent_today, h.spent_this_month,
  coalesce(o.is_paused, false) as is_held,
  coalesce(o.requests_per_second, o.burst, o.quota) is not null as is_changed,
  h.data_age_s
from sources s
left join operations.source_health h on h.source = s.name
left join source_orders o on o.source = s.name;
grant select on operations.sources to console;
