-- The state of a network's head follower. Updated with every batch, so its pages keep room for new versions.
create table network_follows (
  network_id text primary key references networks,
  cursor_block bigint,                 -- last block that is committed; null: none yet
  cursor_hash text,
  cursor_at timestamptz,               -- time of that block
  confirmed_block bigint,              -- up to here blocks were compared with the chain once more
  head_block bigint,                   -- newest block that a node showed
  advanced_at timestamptz,             -- when the cursor last moved, or was found to be the head
  epoch bigint not null default 0,     -- counts attempts: an older one cannot commit
  mode text not null constraint network_follows_mode check (mode in ('off', 'blocks')),
  method text constraint network_follows_method check (method in ('receipts')),
  reason text                          -- why it is off or does not advance; null: it advances
) with (fillfactor = 50);
grant select, insert, update, delete on network_follows to ingest;
grant select on network_follows to api;
