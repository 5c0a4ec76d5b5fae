-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- The table is a few days old and small.
-- The next event of each lane is found by one look at an index, however many wait behind it. Those that were tried are
-- found by their time.
create index deliveries_unsent on deliveries (endpoint_id, lane, seq) where attempts = 0 and next_at < 'infinity';
create index deliveries_tried on deliveries (next_at) where attempts > 0 and next_at is not null;
drop index deliveries_open;
