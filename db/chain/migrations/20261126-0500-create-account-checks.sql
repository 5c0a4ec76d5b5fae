-- When the accounts of a network's wallets were last compared with its chain, by spans of wallets: from `first_wallet`
-- on, before the next one. Nothing is written for a wallet where nothing changed.
create table account_checks (
  network_id text not null references networks,
  first_wallet bigint not null,
  checked_at timestamptz,              -- null: never
  primary key (network_id, first_wallet)
) with (fillfactor = 50);
grant select, insert, update, delete on account_checks to ingest;
grant select on account_checks to api;
