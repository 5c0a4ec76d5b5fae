-- Tokens of spam that a wallet has moved: what its balances leave out. A token that is spam no longer keeps its row.
create table wallet_spam (
  wallet_id bigint not null,
  network_id text not null,
  coin_id text not null,               -- <address>_<blockchain>
  primary key (wallet_id, network_id, coin_id)
);
grant select on wallet_spam to api;
grant select, insert on wallet_spam to ingest;
