-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- Chains of the Cosmos SDK. They are read only where the operator turns them on and a client names them.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check check (kind in ('evm', 'bitcoin', 'solana', 'utxo', 'tron', 'xrpl', 'cosmos'));
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('cosmos', 'cosmos', 'Cosmos Hub', 'https://icons.llamao.fi/icons/chains/rsz_cosmoshub.jpg', 'cosmos', 'ATOM', 6, 'https://www.mintscan.io/cosmos', 0, 58, 'cosmos'),
  ('osmosis', 'osmosis', 'Osmosis', 'https://icons.llamao.fi/icons/chains/rsz_osmosis.jpg', 'osmosis', 'OSMO', 6, 'https://www.mintscan.io/osmosis', 0, 59, 'cosmos'),
  ('celestia', 'celestia', 'Celestia', 'https://icons.llamao.fi/icons/chains/rsz_celestia.jpg', 'celestia', 'TIA', 6, 'https://www.mintscan.io/celestia', 0, 60, 'cosmos');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
