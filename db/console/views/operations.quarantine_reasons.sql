-- Number of quarantined rows by reason. For exchanges the reason is null, because it may quote tenants' data.
create or replace view operations.quarantine_reasons as
select q.source, q.area, case when q.area <> 'exchanges' then q.reason end as reason, count(*)::int as rows,
  max(q.fetched_at) as newest_at
from quarantine q group by 1, 2, 3;
grant select on operations.quarantine_reasons to console;
