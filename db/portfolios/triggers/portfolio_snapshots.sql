-- Coins that appear in figures are held from their first row on.
create or replace trigger hold_coins after insert on portfolio_snapshots referencing new table as new_rows
  for each statement execute function past.hold_coins('select unnest(coin_ids) from new_rows');
