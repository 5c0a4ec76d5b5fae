-- squawk-ignore-file require-concurrent-index-creation
-- The table is a few days old and small.
-- Events of one wallet are in one of four lanes of an endpoint, and each lane is first sent in the order of `seq`.
-- `next_at` is infinite while the endpoint has to answer a probe, or its owner has to act, first.
alter table deliveries add lane smallint not null default 0 check (lane between 0 and 3),
  add failure text;                    -- why the last attempt failed; null: it did not
create index deliveries_waiting on deliveries (endpoint_id, lane, seq) where next_at is not null;
