-- The head follower of each network that has one.
create or replace view operations.follows as
select f.network_id, f.mode, f.method, f.cursor_block, f.head_block, f.confirmed_block, f.cursor_at, f.advanced_at,
  f.reason, f.tick_ms, f.method_reason
from network_follows f join networks n on n.id = f.network_id
order by n.position;
grant select on operations.follows to console;
