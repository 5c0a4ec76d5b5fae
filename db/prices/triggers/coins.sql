-- Every write updates coin_listings, by which coin lists are searched and sorted. Coins are never deleted.
create or replace trigger listings_after_insert after insert on coins
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coins
  referencing new table as changed for each statement execute function update_coin_listings();
-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on coins
  for each statement execute function note_revision();
