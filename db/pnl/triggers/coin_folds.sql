-- Holds a coin from its first row on, because figures refer to it.
create or replace trigger hold_coins after insert on coin_folds referencing new table as new_rows
  for each statement execute function past.hold_coins('select coin_id from new_rows');
