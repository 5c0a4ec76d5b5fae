-- Positions of wallets in DeFi protocols, as contracts tell them at one block.

create table defi_protocols (
  id text primary key,
  name text not null,
  logo text not null,
  url text not null,
  health_url text,                     -- page that explains the health rate; null: there is none
  position integer not null
);

insert into defi_protocols (id, name, logo, url, health_url, position) values
  ('aave-v3', 'Aave V3', 'https://icons.llamao.fi/icons/protocols/aave-v3', 'https://app.aave.com', 'https://aave.com/help/borrowing/liquidations', 1),
  ('aave-staking', 'Aave Staking', 'https://icons.llamao.fi/icons/protocols/aave', 'https://app.aave.com/staking', null, 2),
  ('compound-v3', 'Compound V3', 'https://icons.llamao.fi/icons/protocols/compound-v3', 'https://app.compound.finance', 'https://docs.compound.finance/liquidation', 3),
  ('uniswap-v3', 'Uniswap V3', 'https://icons.llamao.fi/icons/protocols/uniswap-v3', 'https://app.uniswap.org/positions', null, 4),
  ('lido', 'Lido', 'https://icons.llamao.fi/icons/protocols/lido', 'https://stake.lido.fi', null, 5);

-- On which networks a protocol is read: on the others there is nothing to know.
create table defi_deployments (
  protocol_id text not null references defi_protocols,
  network_id text not null references networks,
  primary key (network_id, protocol_id)
);

insert into defi_deployments (protocol_id, network_id)
select protocol_id, network_id from (values
  ('aave-v3', array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'monad-wallet', 'plasma-wallet']),
  ('aave-staking', array['ethereum']),
  ('compound-v3', array['ethereum', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet']),
  ('uniswap-v3', array['ethereum', 'binancesmartchain', 'base-wallet', 'polygon-wallet', 'arbitrum-wallet', 'optimism-wallet', 'avalanche-wallet', 'monad-wallet']),
  ('lido', array['ethereum'])
) as known (protocol_id, network_ids) cross join unnest(network_ids) as network_id;

-- The last read of a wallet on a network.
create table defi_reads (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  block_number bigint,                 -- these and fetched_at: null until something answered
  block_hash text,
  block_at timestamptz,
  complete_at timestamptz,             -- last read that everything answered in; null: none yet
  failed_at timestamptz,               -- last attempt, when nothing answered in it
  failure text,                        -- what did not answer in the last attempt; null: all of it did
  source text not null,
  fetched_at timestamptz,
  primary key (wallet_id, network_id)
);

-- One that did not answer in the last read stays as it was in an earlier one.
create table defi_positions (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  protocol_id text not null references defi_protocols,
  id text not null,                    -- market, contract or NFT, unique in its protocol on its network
  name text not null,
  pool_address text not null,
  health_rate numeric,                 -- liquidated below 1; null: no debt, or the protocol did not say
  unlock_at timestamptz,
  end_at timestamptz,                  -- until when it can be taken out, once unlocked
  block_number bigint not null,
  block_hash text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, protocol_id, id)
);

create table defi_assets (
  wallet_id bigint not null,
  network_id text not null,
  protocol_id text not null,
  position_id text not null,
  seq integer not null,
  role text not null check (role in ('supplied', 'borrowed', 'staked', 'unclaimed', 'withdrawing', 'claimable')),
  token_address text,                  -- null: the native asset
  raw numeric(78, 0) not null check (raw > 0), -- base units; borrowed: owed
  block_number bigint not null,
  block_hash text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, protocol_id, position_id, seq),
  foreign key (wallet_id, network_id, protocol_id, position_id) references defi_positions on delete cascade
);

grant select on defi_protocols, defi_deployments to ingest, api;
grant select, insert, update, delete on defi_reads, defi_positions, defi_assets to ingest;
grant select on defi_reads, defi_positions, defi_assets to api;

select past.keep('defi_positions', 'wallet_id, network_id, protocol_id, id',
  'name, pool_address, health_rate, unlock_at, end_at');
select past.keep('defi_assets', 'wallet_id, network_id, protocol_id, position_id, seq', 'role, token_address, raw');
