-- Every write updates coin_listings, by which coin lists are searched and sorted. Quotes are never deleted.
create or replace trigger listings_after_insert after insert on coin_quotes
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_quotes
  referencing new table as changed for each statement execute function update_coin_listings();
-- Alerts on prices are decided in the transaction that writes the quote.
create or replace trigger alerts_after_insert after insert on coin_quotes
  referencing new table as changed for each statement execute function decide_coin_alerts();
create or replace trigger alerts_after_update after update on coin_quotes
  referencing new table as changed for each statement execute function decide_coin_alerts();
-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on coin_quotes
  for each statement execute function note_revision();
