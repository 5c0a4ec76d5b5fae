-- What happened, written in the transaction that made it true. The publisher turns each row into an event of each
-- subscribed account, and deletes it.
create table event_sources (
  id bigint generated always as identity primary key,
  kind text not null,                  -- type of the event
  account_id uuid references accounts on delete cascade,  -- the event is of this account alone; null: of the subscribed ones
  wallet_id bigint references wallets,
  network_id text references networks,
  block_number bigint,
  tx_hash text,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(account_id, wallet_id) = 1)
);

grant select, insert, update, delete on event_sources to ingest;
