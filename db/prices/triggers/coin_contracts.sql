-- Every write updates coin_listings, by which coin lists are searched and sorted.
create or replace trigger listings_after_insert after insert on coin_contracts
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_update after update on coin_contracts
  referencing new table as changed for each statement execute function update_coin_listings();
create or replace trigger listings_after_delete after delete on coin_contracts
  referencing old table as changed for each statement execute function update_coin_listings();

-- A coin counts as held once its contract is known to be a token of a DeFi position.
create or replace trigger hold_coins_inserted after insert on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');
create or replace trigger hold_coins_updated after update on coin_contracts referencing new table as new_rows
  for each statement execute function past.hold_coins(
    'select n.coin_id from new_rows n where n.address in (select token_address from defi_assets)');
-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on coin_contracts
  for each statement execute function note_revision();
