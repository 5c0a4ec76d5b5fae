-- Rewinds of networks: their chain had other blocks than the stored ones. Kept for 30 days.
create table network_rewinds (
  network_id text not null,
  at timestamptz not null default clock_timestamp(),
  block_number bigint not null,        -- last block that stayed
  blocks integer not null,             -- stored blocks that were replaced
  primary key (network_id, at)
);
grant select, insert, update, delete on network_rewinds to ingest;
