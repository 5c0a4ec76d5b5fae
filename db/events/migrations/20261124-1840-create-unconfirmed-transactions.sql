-- Transactions of watched wallets that a reorg may still take, from when they are noted as such until their block
-- settles or a reorg takes them.
create table unconfirmed_transactions (
  network_id text not null,
  wallet_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  late boolean not null,               -- the block was old when the transaction was found
  primary key (network_id, wallet_id, tx_hash)
);
create index unconfirmed_transactions_by_block on unconfirmed_transactions (network_id, block_number);

grant select, insert, update, delete on unconfirmed_transactions to ingest;
