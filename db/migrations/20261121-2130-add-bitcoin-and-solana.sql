-- Networks that are no EVM chain: what their addresses and histories look like follows from the kind.
alter table networks add column kind text not null default 'evm' check (kind in ('evm', 'bitcoin', 'solana'));
alter table networks alter column kind drop default;
alter table networks alter column chain_id drop not null;
insert into networks (id, blockchain, name, icon, kind, coin_id, symbol, decimals, explorer_url, reorg_depth, position, wrapped_address) values
  ('bitcoin', 'bitcoin', 'Bitcoin', 'https://icons.llamao.fi/icons/chains/rsz_bitcoin.jpg', 'bitcoin', 'bitcoin', 'BTC', 8, 'https://mempool.space', 100, 11, null),
  ('solana', 'solana', 'Solana', 'https://icons.llamao.fi/icons/chains/rsz_solana.jpg', 'solana', 'solana', 'SOL', 9, 'https://solscan.io', 0, 12, 'So11111111111111111111111111111111111111112');

-- Sources that give transactions without their blocks do not tell the parent.
alter table blocks alter column parent_hash drop not null;

-- input, output: of a Bitcoin transaction. spl, rent: change of a token balance, and lamports that go into or come out of
-- a token account of the same owner. Together with native on Solana they have one party each; the other one is ''.
alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check check (kind in
  ('native', 'internal', 'erc20', 'erc721', 'erc1155', 'wrap', 'approval', 'input', 'output', 'spl', 'rent'));

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
grant select, insert, update, delete on wallet_accounts to ingest;
grant select on wallet_accounts to api;
