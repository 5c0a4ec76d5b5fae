-- Quarantined rows except those of exchange accounts, which are tenants' data. Operators see only the number
-- of those.
create or replace view operations.quarantine with (security_barrier) as
select q.id, q.source, q.area, q.reason, q.payload, q.fetched_at, q.activity, q.retry_state, q.retry_at, q.retry_failure
from quarantine q where q.area <> 'exchanges';
grant select on operations.quarantine to console;
