-- squawk-ignore-file adding-field-with-default
-- The table has a row for each cold file.
alter table cold_files add column id integer generated always as identity;

-- What finds a transaction whose row is in a cold file: a row here if and only if its row is not in `transactions`.
create table cold_transactions (
  network_id text not null,
  digest uuid not null,                -- md5 of its hash, a quarter of the size
  block_number bigint not null,
  at timestamptz not null,
  file_id integer not null,            -- cold_files.id
  -- Only where no transfer of the sender finds it.
  from_address text,
  hash text,
  primary key (network_id, digest),
  check ((from_address is null) = (hash is null))
);
create index cold_transactions_by_sender on cold_transactions (network_id, from_address, block_number)
  where from_address is not null;
grant select on cold_transactions to ingest;
