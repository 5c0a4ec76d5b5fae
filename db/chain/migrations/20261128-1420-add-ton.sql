-- squawk-ignore-file constraint-missing-not-valid
-- The table has a row for each network, seventy.
-- TON. It is read only where the operator turns it on and a client names it.
alter table networks
  drop constraint networks_kind_check,
  add constraint networks_kind_check
    check (kind in ('evm', 'bitcoin', 'solana', 'utxo', 'tron', 'xrpl', 'cosmos', 'sui', 'ton'));
-- It comes before the chains of the Cosmos SDK.
update networks set position = position + 1 where position > 58;
insert into networks
  (id, blockchain, name, icon, coin_id, symbol, decimals, explorer_url, reorg_depth, position, kind)
values
  ('ton', 'ton', 'TON', 'https://icons.llamao.fi/icons/chains/rsz_ton.jpg', 'the-open-network', 'TON', 9, 'https://tonscan.org', 0, 59, 'ton');
insert into past.coins_held
  select distinct coin_id from networks where coin_id not in (select coin_id from past.coins_held);
