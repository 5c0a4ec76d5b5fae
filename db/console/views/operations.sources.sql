-- The settings with which the worker runs each source, and its health.
create or replace view operations.sources as
select s.name, s.area, s.missing, s.freshness_target_s, s.requests_per_second, s.burst, s.quota::float8 as quota,
  s.quota_per, s.unit, s.account,
  h.source is not null as known, h.last_success_at, h.last_failure_at, h.last_failure, h.consecutive_failures,
  h.next_request_at, h.requests_24h, h.failures_24h, h.requests_today, h.requests_this_month, h.requests_by_hour,
  h.failures_by_hour, h.quarantined, h.spent_today, h.spent_this_month
from sources s left join operations.source_health h on h.source = s.name;
grant select on operations.sources to console;
