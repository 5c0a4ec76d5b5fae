-- Wallets that something happened to in blocks of the follower. A quiet wallet has no row.
create table touched_wallets (
  network_id text not null,
  wallet_id bigint not null,
  from_block bigint not null,
  through_block bigint not null,
  reason text not null constraint touched_wallets_reason check (reason in ('block', 'reorg')),
  marked_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_at timestamptz,                 -- not before, after a failure; null: at once
  primary key (network_id, wallet_id)
);
grant select, insert, update, delete on touched_wallets to ingest;
grant select on touched_wallets to api;
