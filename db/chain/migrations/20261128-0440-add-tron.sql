-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- Tron. It is read only where the operator turns it on and a client names it.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check check (kind in ('evm', 'bitcoin', 'solana', 'utxo', 'tron'));
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind, wrapped_address)
values
  ('tron', 'tron', 'Tron', 'https://icons.llamao.fi/icons/chains/rsz_tron.jpg', 'tron', 'TRX', 6, 'https://www.oklink.com/tron', 0, 55, 'tron', 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
