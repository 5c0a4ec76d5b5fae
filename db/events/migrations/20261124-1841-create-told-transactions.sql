-- Accounts that were told of a transaction before it was confirmed: what they are told of it later is free. Read and
-- written by the function that publishes events alone.
create table told_transactions (
  network_id text not null,
  wallet_id bigint not null,
  tx_hash text not null,
  account_id uuid not null references accounts on delete cascade,
  endpoint_ids uuid[] not null,        -- those of its endpoints that were told
  at timestamptz not null default now(),
  primary key (network_id, wallet_id, tx_hash, account_id)
);
create index told_transactions_of_account on told_transactions (account_id);
create index told_transactions_by_time on told_transactions (at);
