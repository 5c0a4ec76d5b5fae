-- Whose events an account gets. A wallet that no row covers costs no event.
create table event_subscriptions (
  account_id uuid not null references accounts on delete cascade,
  endpoint_id uuid references webhook_endpoints on delete cascade,  -- null: the stream and GET /events
  wallet_id bigint references wallets,                  -- null: all wallets among the portfolios of the account
  network_id text references networks,                  -- null: all networks
  types text[] check (cardinality(types) > 0),          -- of the stream; null: all. An endpoint has its own
  expires_at timestamptz,                               -- of the stream: each read moves it. null: never
  unique nulls not distinct (account_id, endpoint_id, wallet_id, network_id)
);
create index event_subscriptions_of_wallet on event_subscriptions (wallet_id);
create index event_subscriptions_of_endpoint on event_subscriptions (endpoint_id) where endpoint_id is not null;

grant select, insert, update, delete on event_subscriptions to ingest;
grant select on event_subscriptions to api;
