-- Every write updates coin_listings, by which coin lists are searched and sorted.
create or replace trigger listings_after_insert after insert on coin_risks
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_risks
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_delete after delete on coin_risks
  referencing old table as changed for each statement execute function update_coin_listings();
-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on coin_risks
  for each statement execute function note_revision();
