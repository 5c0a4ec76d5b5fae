-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- The XRP Ledger. It is read only where the operator turns it on and a client names it.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check check (kind in ('evm', 'bitcoin', 'solana', 'utxo', 'tron', 'xrpl'));
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('xrpl', 'xrp', 'XRP Ledger', 'https://icons.llamao.fi/icons/chains/rsz_xrpl.jpg', 'ripple', 'XRP', 6, 'https://xrpscan.com', 0, 57, 'xrpl');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
