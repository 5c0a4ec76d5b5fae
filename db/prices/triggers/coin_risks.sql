-- Every write updates coin_listings, by which coin lists are searched and sorted.
create or replace trigger listings_after_insert after insert on coin_risks
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_risks
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_delete after delete on coin_risks
  referencing old table as changed for each statement execute function update_coin_listings();
