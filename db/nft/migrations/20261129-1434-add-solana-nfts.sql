-- NFTs of Solana. Their collections are accounts, and the id of a token is its account's key as a number: both have 256
-- bits. metaplex: a mint with metadata of Metaplex; core: of Metaplex Core; compressed: a leaf of a Merkle tree.
alter table nft_assets
  drop constraint nft_assets_standard_check,
  add constraint nft_assets_standard_check
    check (standard in ('erc721', 'erc1155', 'metaplex', 'core', 'compressed')) not valid;

-- What owners hold where transfers do not show it: compressed tokens move without one. A reading replaces the last one.
create table nft_holdings (
  network_id text not null references networks,
  owner text not null,
  address text not null,               -- of the collection; of the token itself if it has none
  token_id numeric(78, 0) not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, owner, token_id)
);

create table nft_holding_reads (
  network_id text not null references networks,
  owner text not null,
  read_at timestamptz,                 -- of the last whole reading; null: none yet
  tried_at timestamptz not null,
  failure text,                        -- why the last try was refused
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, owner)
);

grant select, insert, update, delete on nft_holdings, nft_holding_reads to ingest;
grant select on nft_holdings, nft_holding_reads to api;
