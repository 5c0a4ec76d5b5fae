-- What exchanges sent of the accounts there is the tenants': of that only how much there is.
create or replace view operations.quarantine with (security_barrier) as
select q.id, q.source, q.area, q.reason, q.payload, q.fetched_at, q.activity, q.retry_state, q.retry_at, q.retry_failure
from quarantine q where q.area <> 'exchanges';
grant select on operations.quarantine to console;
