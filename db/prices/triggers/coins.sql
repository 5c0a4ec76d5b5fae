-- What lists of coins are searched and sorted by is kept with every write. Coins stay: none is deleted.
create or replace trigger listings_after_insert after insert on coins
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coins
  referencing new table as changed for each statement execute function update_coin_listings();
