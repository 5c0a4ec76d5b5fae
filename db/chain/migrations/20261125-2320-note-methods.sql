-- How a follower reads its network: `tick_ms` is the time between two reads of a range, and `method_reason` says why
-- another method is not used.
alter table network_follows
  add column tick_ms integer,
  add column method_reason text;
