-- The head follower of each network that has one.
create or replace view operations.follows as
select f.network_id, f.mode, f.method, f.cursor_block, f.head_block, f.confirmed_block, f.cursor_at, f.advanced_at,
  f.reason, f.tick_ms, f.method_reason, f.node, case when f.held_until > now() then f.held_until end as held_until,
  (select count(*)::int from network_rewinds r
    where r.network_id = f.network_id and r.at > now() - interval '24 hours') as rewinds_24h,
  -- Blocks in which two nodes had different logs.
  (select count(*)::int from quarantine q
    where q.source = 'rpc:' || f.network_id and q.reason like '%: two nodes have different logs') as disagreements
from network_follows f join networks n on n.id = f.network_id
order by n.position;
grant select on operations.follows to console;
