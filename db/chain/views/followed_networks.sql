-- The networks whose blocks a head follower has stored. `as_of`: everything up to this time is stored. A follower
-- is near the head within `patience_ms`: it reads each block, or a range in each tick.
create or replace view followed_networks as
select follow.network_id, follow.mode <> 'off' as is_on,
  -- A follower that catches up moves often, and its cursor is an old block.
  case when follow.cursor_block >= follow.head_block then follow.advanced_at
    else least(follow.advanced_at, follow.cursor_at) end as as_of,
  greatest(30000, 3 * coalesce(follow.tick_ms, network.block_ms)) as patience_ms
-- A left join, so that a query without `patience_ms` does not look the network up.
from network_follows as follow left join networks as network on network.id = follow.network_id
where follow.cursor_block is not null;
grant select on followed_networks to ingest, api;
