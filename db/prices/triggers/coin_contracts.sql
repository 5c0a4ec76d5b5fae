-- What lists of coins are searched and sorted by is kept with every write.
create or replace trigger listings_after_insert after insert on coin_contracts
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_contracts
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_delete after delete on coin_contracts
  referencing old table as changed for each statement execute function update_coin_listings();

-- What a token of a position turns out to be is held from then on.
create or replace trigger hold_coins_inserted after insert on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');
create or replace trigger hold_coins_updated after update on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');
