-- Floor prices of past days as CoinGecko has them, over all marketplaces. nft_points are of one marketplace and begin when
-- the collection became known here, so the two are not mixed.
create table nft_floor_days (
  network_id text not null,
  address text not null,
  day date not null,                   -- UTC, at its start
  floor_price numeric not null,        -- in coin_id
  coin_id text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, day)
);

grant select, insert, update, delete on nft_floor_days to ingest;
grant select on nft_floor_days to api;
