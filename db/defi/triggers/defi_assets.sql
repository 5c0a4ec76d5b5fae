-- Holds the coins of positions, found by token and by contract.
create or replace trigger hold_coins after insert on defi_assets referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select t.coin_id from new_rows n join tokens t on t.network_id = n.network_id and t.address = n.token_address
     union all
     select c.coin_id from new_rows n join networks w on w.id = n.network_id
     join coin_contracts c on c.blockchain = w.blockchain and c.address = n.token_address');
