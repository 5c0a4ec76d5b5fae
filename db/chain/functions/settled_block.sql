-- The block of a network up to which no reorg replaces blocks any more. Where a follower compares them once more, that
-- decides. Elsewhere it is as far below the head that a sync has seen as the deepest reorg. -1: none.
create or replace function settled_block(network_id text, head_block bigint) returns bigint
language sql stable set search_path = public, pg_temp as $$
  select coalesce(greatest(f.confirmed_block,
    case when coalesce(f.mode, 'off') = 'off' then $2 - n.reorg_depth end), -1)
  from networks n left join network_follows f on f.network_id = n.id
  where n.id = $1
$$;
revoke all on function settled_block from public;
grant execute on function settled_block to ingest;
