-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- Networks that descend from Bitcoin. Each is read only where the operator gives it a Blockbook and a client names it.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check check (kind in ('evm', 'bitcoin', 'solana', 'utxo'));
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('litecoin', 'litecoin', 'Litecoin', 'https://icons.llamao.fi/icons/chains/rsz_litecoin.jpg', 'litecoin', 'LTC', 8, 'https://litecoinspace.org', 100, 53, 'utxo'),
  ('dogecoin', 'dogecoin', 'Dogecoin', 'https://icons.llamao.fi/icons/chains/rsz_doge.jpg', 'dogecoin', 'DOGE', 8, 'https://dogechain.info', 200, 54, 'utxo');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
