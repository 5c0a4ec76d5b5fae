-- Transactions of watched wallets that a reorg took. One that comes again in another block is news, but paid already.
create table reorged_transactions (
  wallet_id bigint not null,
  network_id text not null,
  tx_hash text not null,
  at timestamptz not null default now(),
  primary key (wallet_id, network_id, tx_hash)
);
grant select, insert, update, delete on reorged_transactions to ingest;
