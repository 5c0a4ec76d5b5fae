-- Bitcoin Cash, beside the other networks that descend from Bitcoin.
update networks set position = position + 1 where position > 54;
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('bitcoin-cash', 'bitcoin-cash', 'Bitcoin Cash', 'https://icons.llamao.fi/icons/chains/rsz_bitcoincash.jpg', 'bitcoin-cash', 'BCH', 8, 'https://explorer.melroy.org', 100, 55, 'utxo');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
