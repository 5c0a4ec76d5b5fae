-- Changes of the answers of sources that are alarms, oldest first. Answers that were kept are not in it.
create or replace view operations.source_changes as
select s.source, s.operation, c ->> 'field' as field, c ->> 'change' as change, c ->> 'was' as was, c ->> 'is' as "is",
  (c ->> 'seen')::int as answers, (c ->> 'driftedAt')::timestamptz as since, (c ->> 'lastAt')::timestamptz as last_at
from source_shapes s cross join lateral jsonb_array_elements(s.changes) c
where c ->> 'driftedAt' is not null;
grant select on operations.source_changes to console;
-- The worker exports their number as a metric.
grant select on operations.source_changes to ingest;
