-- Ownership is not stored: what a wallet holds is the sum of its stored transfers, which a reorg takes back with their
-- blocks. These indexes hold everything that the sum needs.
create index transfers_of_nfts_by_receiver on transfers (network_id, to_address, token_address, token_id) include (raw)
  where kind in ('erc721', 'erc1155');
create index transfers_of_nfts_by_sender on transfers (network_id, from_address, token_address, token_id) include (raw)
  where kind in ('erc721', 'erc1155');
create index transfers_of_nfts_by_token on transfers (network_id, token_address, token_id)
  where kind in ('erc721', 'erc1155');

create table nft_collections (
  network_id text not null references networks,
  address text not null,               -- of the contract
  standard text check (standard in ('erc721', 'erc1155')), -- null: nobody has said yet
  slug text,                           -- at the marketplace; null: it does not have the contract, or was not asked yet
  name text not null,
  description text not null default '',
  image_url text,
  banner_url text,
  category text,
  urls jsonb not null default '[]',    -- [{name, url}]
  verified boolean,                    -- null: nobody says
  disabled boolean not null default false, -- taken off the marketplace, or not fit for everybody
  created_at timestamptz,
  creator_fee_bps integer,
  total_supply numeric,
  coin_id text not null,               -- main currency: the unit of all prices without usd in their name
  currencies jsonb not null default '{}', -- coins by the symbols that the marketplace writes
  moved boolean not null default false, -- a stored transfer has moved one of its tokens
  trending_rank integer,
  category_rank integer,               -- by market capitalisation, in its category
  assets_count integer not null default 0,
  listed_count integer,                -- tokens on sale; null: unknown, or more than are read
  assets_next text,                    -- where the reading of all assets goes on
  described_at timestamptz,
  gecko_at timestamptz,
  assets_at timestamptz,
  market_at timestamptz,
  failure text,                        -- of the last step that the marketplace refused
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address)
);
create index nft_collections_by_address on nft_collections (address);
create index nft_collections_by_trend on nft_collections (trending_rank) where trending_rank is not null;

-- Figures of a collection at an instant (a quarter of an hour). Changes are read from two points.
create table nft_points (
  network_id text not null,
  address text not null,
  at timestamptz not null,
  floor_price numeric,
  average_price numeric,               -- of all sales
  volume_1d numeric,
  volume_7d numeric,
  volume_30d numeric,
  volume_total numeric,
  average_price_1d numeric,
  average_price_7d numeric,
  average_price_30d numeric,
  volume_change_1d numeric,            -- percent, where the source says so itself
  volume_change_7d numeric,
  volume_change_30d numeric,
  sales_1d bigint,
  sales_7d bigint,
  sales_30d bigint,
  sales_total bigint,
  owners_count bigint,
  sales_in_profit numeric,             -- percent of a day's resales for more than the token's sale before
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, at)
);

-- What CoinGecko says of a collection.
create table nft_gecko_records (
  network_id text not null,
  address text not null,
  gecko_id text not null,
  rank integer,                        -- by market capitalisation, over all collections that it lists
  floor_price numeric,
  floor_price_change_1d numeric,       -- percent, like all changes here
  floor_price_change_7d numeric,
  market_cap numeric,
  market_cap_change_1d numeric,
  volume_1d numeric,
  volume_change_1d numeric,
  owners_count numeric,
  owners_change_1d numeric,
  total_supply numeric,
  sales_1d numeric,
  average_price_1d numeric,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address)
);

create table nft_assets (
  network_id text not null,
  address text not null,
  token_id numeric(78, 0) not null,
  standard text not null check (standard in ('erc721', 'erc1155')),
  name text,
  image_url text,
  url text,                            -- page at the marketplace
  traits jsonb not null default '[]',  -- [{key, kind, value}]
  rarity_score numeric,                -- bits of information in its traits
  rarity_rank integer,
  list_price numeric,                  -- cheapest offer to sell one; null: none, or in no known coin
  list_source text,                    -- null: it is not on sale
  listed_until timestamptz,
  position integer,                    -- in the collection, from 1, by token id
  list_position integer,               -- among those on sale, from 1, the cheapest first
  metadata_at timestamptz,             -- when its contract was last asked for its metadata
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, token_id)
);
create index nft_assets_by_position on nft_assets (network_id, address, position);
create index nft_assets_by_list_position on nft_assets (network_id, address, list_position) where list_position is not null;

-- Each value of a trait, counted over the tokens of its collection.
create table nft_traits (
  network_id text not null,
  address text not null,
  key text not null,
  value text not null,
  kind text not null,
  token_count integer not null,
  on_sale_count integer not null,
  floor_ask_price numeric,
  created_at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, key, value)
);

create table nft_listings (
  network_id text not null,
  address text not null,
  order_hash text not null,
  token_id numeric(78, 0) not null,
  seller text not null,
  quantity numeric(78, 0) not null,
  amount numeric not null,             -- for one token, in payment_coin_id
  payment_coin_id text,                -- null: no coin has that contract
  price numeric,                       -- the same in the main currency; null: there is no price to convert with
  ends_at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, order_hash)
);

create index nft_listings_by_token on nft_listings (network_id, address, token_id, price);

create table nft_sales (
  network_id text not null,
  address text not null,
  tx_hash text not null,
  order_hash text not null,
  token_id numeric(78, 0) not null,
  at timestamptz not null,
  seller text not null,
  buyer text not null,
  quantity numeric(78, 0) not null,
  amount numeric not null,             -- for one token, in payment_coin_id
  payment_coin_id text,
  price numeric,                       -- in the main currency; both at the instant of the sale
  price_usd numeric,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address, tx_hash, order_hash, token_id)
);
create index nft_sales_by_token on nft_sales (network_id, address, token_id, at desc);
create index nft_sales_by_time on nft_sales (network_id, address, at desc);

grant select, insert, update, delete on
  nft_collections, nft_points, nft_gecko_records, nft_assets, nft_traits, nft_listings, nft_sales to ingest;
grant select on
  nft_collections, nft_points, nft_gecko_records, nft_assets, nft_traits, nft_listings, nft_sales to api;
