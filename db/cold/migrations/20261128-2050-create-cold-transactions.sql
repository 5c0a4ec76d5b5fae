alter table cold_files add column id integer generated always as identity;

-- What finds a transaction whose row is in a cold file: a row here if and only if its row is not in `transactions`.
create table cold_transactions (
  network_id text not null,
  hash text not null,
  from_address text,                   -- null: a transfer of the sender finds it
  block_number bigint not null,
  at timestamptz not null,
  file_id integer not null,            -- cold_files.id
  primary key (network_id, hash)
);
create index cold_transactions_by_sender on cold_transactions (network_id, from_address, block_number)
  where from_address is not null;
grant select on cold_transactions to ingest;
