-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- Sui. It is read only where the operator turns it on and a client names it.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check
    check (kind in ('evm', 'bitcoin', 'solana', 'utxo', 'tron', 'xrpl', 'cosmos', 'sui'));
-- It comes before the chains of the Cosmos SDK.
update networks set position = position + 1 where position > 57;
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('sui', 'sui', 'Sui', 'https://icons.llamao.fi/icons/chains/rsz_sui.jpg', 'sui', 'SUI', 9, 'https://suiscan.xyz/mainnet', 0, 58, 'sui');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
