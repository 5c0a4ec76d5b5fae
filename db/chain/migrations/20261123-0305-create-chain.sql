create table networks (
  id text primary key,                 -- the spec's connectionId
  blockchain text not null unique,     -- the spec's blockchain parameter
  name text not null,
  icon text not null,
  chain_id bigint unique,
  coin_id text not null,               -- coin of the native asset
  symbol text not null,
  decimals smallint not null,
  explorer_url text not null,
  reorg_depth integer not null,
  position integer not null,
  active boolean not null default false, -- whether a source is configured; set by the worker at start
  -- The contract of the wrapped native asset: its Deposit and Withdrawal events change balances without a Transfer.
  wrapped_address text,
  -- What addresses and histories look like follows from it.
  kind text not null check (kind in ('evm', 'bitcoin', 'solana'))
);

insert into networks (id, blockchain, name, icon, chain_id, coin_id, symbol, decimals, explorer_url, reorg_depth, position, wrapped_address, kind) values
  ('ethereum', 'ethereum', 'Ethereum', 'https://icons.llamao.fi/icons/chains/rsz_ethereum.jpg', 1, 'ethereum', 'ETH', 18, 'https://etherscan.io', 65, 1, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'evm'),
  ('binancesmartchain', 'binance_smart', 'BNB Smart Chain', 'https://icons.llamao.fi/icons/chains/rsz_binance.jpg', 56, 'binancecoin', 'BNB', 18, 'https://bscscan.com', 30, 2, '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 'evm'),
  ('base-wallet', 'base', 'Base', 'https://icons.llamao.fi/icons/chains/rsz_base.jpg', 8453, 'ethereum', 'ETH', 18, 'https://basescan.org', 30, 3, '0x4200000000000000000000000000000000000006', 'evm'),
  ('polygon-wallet', 'polygon-pos', 'Polygon', 'https://icons.llamao.fi/icons/chains/rsz_polygon.jpg', 137, 'polygon-ecosystem-token', 'POL', 18, 'https://polygonscan.com', 200, 4, '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 'evm'),
  ('arbitrum-wallet', 'arbitrum-one', 'Arbitrum One', 'https://icons.llamao.fi/icons/chains/rsz_arbitrum.jpg', 42161, 'ethereum', 'ETH', 18, 'https://arbiscan.io', 240, 5, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', 'evm'),
  ('optimism-wallet', 'optimism', 'OP Mainnet', 'https://icons.llamao.fi/icons/chains/rsz_optimism.jpg', 10, 'ethereum', 'ETH', 18, 'https://optimistic.etherscan.io', 30, 6, '0x4200000000000000000000000000000000000006', 'evm'),
  ('avalanche-wallet', 'avalanche', 'Avalanche C-Chain', 'https://icons.llamao.fi/icons/chains/rsz_avalanche.jpg', 43114, 'avalanche-2', 'AVAX', 18, 'https://snowtrace.io', 30, 7, '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', 'evm'),
  ('hyperevm-wallet', 'hyperevm', 'HyperEVM', 'https://icons.llamao.fi/icons/chains/rsz_hyperliquid.jpg', 999, 'hyperliquid', 'HYPE', 18, 'https://hyperevmscan.io', 30, 8, '0x5555555555555555555555555555555555555555', 'evm'),
  ('monad-wallet', 'monad', 'Monad', 'https://icons.llamao.fi/icons/chains/rsz_monad.jpg', 143, 'monad', 'MON', 18, 'https://monadscan.com', 30, 9, null, 'evm'),
  ('plasma-wallet', 'plasma', 'Plasma', 'https://icons.llamao.fi/icons/chains/rsz_plasma.jpg', 9745, 'plasma', 'XPL', 18, 'https://plasmascan.to', 30, 10, null, 'evm'),
  ('bitcoin', 'bitcoin', 'Bitcoin', 'https://icons.llamao.fi/icons/chains/rsz_bitcoin.jpg', null, 'bitcoin', 'BTC', 8, 'https://mempool.space', 100, 11, null, 'bitcoin'),
  ('solana', 'solana', 'Solana', 'https://icons.llamao.fi/icons/chains/rsz_solana.jpg', null, 'solana', 'SOL', 9, 'https://solscan.io', 0, 12, 'So11111111111111111111111111111111111111112', 'solana');
-- They are in somebody's figures sooner or later.
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);

-- Blocks whose rows are stored, so that a reorg is seen by the parent hash.
create table blocks (
  network_id text not null references networks,
  number bigint not null,
  hash text not null,
  parent_hash text,                    -- null: of sources that give transactions without their blocks
  at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, number)
);

create table wallets (
  id bigint generated always as identity primary key,
  address text not null unique,        -- canonical form: lower-case hex on EVM networks
  created_at timestamptz not null default now()
);

create table wallet_syncs (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  requested_at timestamptz not null default now(),
  cursor_block bigint not null default -1,  -- last block whose rows are committed
  head_block bigint,                        -- head seen when the running sync started
  synced_at timestamptz,                    -- null until the first sync reached its head
  failed_at timestamptz,
  failure text,
  normalised_block bigint not null default -1,  -- last block whose wallet transactions and movements are derived from the raw rows
  primary key (wallet_id, network_id)
);

-- Whose history a wallet has besides that of its own address, and how far each of them is read.
create table wallet_accounts (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  account text not null,
  -- address: derived from an extended key, what it holds is the wallet's; token: a token account; wallet: the address itself
  role text not null check (role in ('wallet', 'address', 'token')),
  read_block bigint not null default -1,  -- block up to which its history is stored
  newest text,                            -- newest transaction in it; null where the source is not asked by it
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, account)
);

create table tokens (
  network_id text not null references networks,
  address text not null,
  symbol text,
  name text,
  decimals smallint,                   -- null when the contract does not say: never assumed
  coin_id text not null,               -- a coin of `coins`, else '<address>_<blockchain>'
  spam_reason text,                    -- null: not spam
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, address)
);

-- Chain transactions that touch a tracked wallet, as the chain has them.
create table transactions (
  network_id text not null,
  hash text not null,
  block_number bigint not null,
  block_hash text not null,
  at timestamptz not null,
  tx_index integer not null,
  from_address text not null,
  to_address text,
  value numeric(78, 0) not null,
  fee numeric(78, 0) not null,
  success boolean not null,
  selector text,                       -- first four bytes of the call data
  source text not null,
  fetched_at timestamptz not null,
  primary key (network_id, hash)
) partition by hash (network_id, hash);

create table transfers (
  network_id text not null,
  tx_hash text not null,
  -- input, output: of a Bitcoin transaction. spl, rent: change of a token balance, and lamports that go into or come out of
  -- a token account of the same owner. Together with native on Solana they have one party each; the other one is ''.
  kind text not null check (kind in
    ('native', 'internal', 'erc20', 'erc721', 'erc1155', 'wrap', 'approval', 'input', 'output', 'spl', 'rent')),
  position integer not null,           -- log index; 0 for native; ordinal of an internal transfer or batch item
  item integer not null default 0,     -- ordinal inside one ERC-1155 batch log
  token_address text,
  token_id numeric(78, 0),
  from_address text not null,
  to_address text not null,
  raw numeric(78, 0) not null,
  block_number bigint not null,
  block_hash text not null,
  at timestamptz not null,
  source text not null,
  fetched_at timestamptz not null,
  -- Distinct receivers of the token in the transaction: tells airdrops and multisends from payments.
  fan_out integer not null default 1,
  primary key (network_id, tx_hash, kind, position, item)
) partition by hash (network_id, tx_hash);

create index transactions_by_block on transactions (network_id, block_number);
create index transactions_by_sender on transactions (network_id, from_address, block_number);
create index transfers_by_block on transfers (network_id, block_number);
create index transfers_by_sender on transfers (network_id, from_address, block_number);
create index transfers_by_receiver on transfers (network_id, to_address, block_number);

-- One row per transaction of a wallet on a network, ready to be served.
create table wallet_transactions (
  wallet_id bigint not null,
  network_id text not null,
  at timestamptz not null,
  block_number bigint not null,
  block_hash text not null,
  tx_index integer not null,
  hash text not null,
  type text not null check (type in ('deposit', 'withdraw', 'approve', 'executed', 'balance', 'fee')),
  coin_ids text[] not null,
  identified boolean not null,         -- false when every coin in it is unidentified or spam
  -- The first leg: the response derives currentValue and profitLoss from it at the price of the read.
  main_coin_id text,
  -- Pages are read as one text for each column, its rows parted by control characters.
  main_symbol text check (main_symbol !~ '[\x01-\x1f\x7f]'),
  main_count numeric,
  main_value_usd numeric,              -- at the instant of the transaction; null when never priced
  fragment text not null,              -- JSON object of the other response fields, money in USD
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, at, network_id, tx_index, hash)
) partition by hash (wallet_id);
create index wallet_transactions_by_block on wallet_transactions (network_id, block_number);
create index wallet_transactions_by_network on wallet_transactions (wallet_id, network_id, at, tx_index, hash);

-- Any page of a wallet's transactions for the price of the first one: every 50th row of a series is an anchor that a
-- page starts from. Rows are ranked from the oldest, so that new ones at the end move no anchor. A wallet has a series
-- per network, and the series '' of all networks that are synced.
create table wallet_transaction_counts (
  wallet_id bigint not null,
  series text not null,                -- network, or '' for all synced networks
  rows bigint not null,
  -- Changes with every change of its transactions: whoever has a page at hand, and its revision, need not read it again. At
  -- random, so that no other state has ever had the same one, in a restored database neither.
  revision uuid,                       -- null: it has not changed since there are revisions
  primary key (wallet_id, series)
);

create table wallet_transaction_anchors (
  wallet_id bigint not null,
  series text not null,
  rank bigint not null,                -- 50, 100, ..: the position of the row, counted from the oldest
  at timestamptz not null,
  network_id text not null,
  tx_index integer not null,
  hash text not null,
  primary key (wallet_id, series, rank)
);

-- Signed legs of wallet transactions, the input of P&L: positive in, negative out.
create table movements (
  wallet_id bigint not null,
  network_id text not null,
  at timestamptz not null,
  block_number bigint not null,
  block_hash text not null,
  tx_index integer not null,
  tx_hash text not null,
  seq integer not null,
  -- transfer: value crossing the wallet; trade: a leg of a swap; wrap: basis carried over; fee: gas;
  -- airdrop: income of basis 0; opening: quantity that the history does not explain; spam: left out everywhere
  role text not null check (role in ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'opening', 'spam')),
  coin_id text not null,
  raw numeric(79, 0) not null,         -- signed base units
  decimals smallint not null,
  counterparty text,
  price_usd numeric,                   -- at the instant; null when never priced
  price_at timestamptz,
  price_source text,
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, at, tx_index, tx_hash, seq)
) partition by hash (wallet_id);
create index movements_by_block on movements (network_id, block_number);

-- What the operator says that movements are, instead of what their transactions look like; kept over later syncs.
create table movement_labels (
  wallet_id bigint not null references wallets,
  network_id text not null references networks,
  tx_hash text not null,
  seq integer not null,
  role text not null check (role in ('transfer', 'trade', 'wrap', 'fee', 'airdrop', 'spam')),
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, tx_hash, seq)
);

create table balances (
  wallet_id bigint not null,
  network_id text not null,
  coin_id text not null,
  token_address text,                  -- null for the native asset
  raw numeric(78, 0) not null,
  decimals smallint,
  block_number bigint not null,
  block_hash text not null,
  source text not null,
  fetched_at timestamptz not null,
  primary key (wallet_id, network_id, coin_id)
);

do $$
begin
  for i in 0..7 loop
    execute format('create table transactions_%s partition of transactions for values with (modulus 8, remainder %s)', i, i);
    execute format('create table transfers_%s partition of transfers for values with (modulus 8, remainder %s)', i, i);
    execute format('create table wallet_transactions_%s partition of wallet_transactions for values with (modulus 8, remainder %s)', i, i);
    execute format('create table movements_%s partition of movements for values with (modulus 8, remainder %s)', i, i);
  end loop;
end $$;

grant select, insert, update, delete on
  blocks, wallets, wallet_syncs, wallet_accounts, tokens, transactions, transfers, wallet_transactions,
  wallet_transaction_counts, wallet_transaction_anchors, movements, balances to ingest;
grant select, update on networks to ingest;
grant select on movement_labels to ingest;
grant select on
  networks, blocks, wallets, wallet_syncs, wallet_accounts, tokens, transactions, transfers, wallet_transactions,
  wallet_transaction_counts, wallet_transaction_anchors, movements, balances to api;

-- That of a wallet that nobody follows is in no answer.
select past.keep('wallet_syncs', 'wallet_id, network_id', 'synced_at',
  'exists (select from wallets w join portfolios p on p.address = w.address
   where w.id = old.wallet_id and p.network_id = old.network_id)');
select past.keep('tokens', 'network_id, address', 'symbol, decimals, coin_id, spam_reason');
