-- The contract of the wrapped native asset: its Deposit and Withdrawal events change balances without a Transfer.
alter table networks add column wrapped_address text;
update networks set wrapped_address = known.address from (values
  ('ethereum', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'),
  ('binancesmartchain', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c'),
  ('base-wallet', '0x4200000000000000000000000000000000000006'),
  ('polygon-wallet', '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'),
  ('arbitrum-wallet', '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'),
  ('optimism-wallet', '0x4200000000000000000000000000000000000006'),
  ('avalanche-wallet', '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7'),
  ('hyperevm-wallet', '0x5555555555555555555555555555555555555555')
) as known (network_id, address) where networks.id = known.network_id;

alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check
  check (kind in ('native', 'internal', 'erc20', 'erc721', 'erc1155', 'wrap', 'approval'));
-- Distinct receivers of the token in the transaction: tells airdrops and multisends from payments.
alter table transfers add column fan_out integer not null default 1;

-- Last block whose wallet transactions and movements are derived from the raw rows.
alter table wallet_syncs add column normalised_block bigint not null default -1;
create index wallet_transactions_by_block on wallet_transactions (network_id, block_number);
create index movements_by_block on movements (network_id, block_number);
