-- What lists of coins are searched and sorted by is kept with every write. Quotes stay: none is deleted.
create or replace trigger listings_after_insert after insert on coin_quotes
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_quotes
  referencing new table as changed for each statement execute function update_coin_listings();
