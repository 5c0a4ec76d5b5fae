-- Marks P&L dirty where a part counts and where it would count without correction.
create or replace trigger part_changed after insert or update or delete on transaction_parts
  for each row execute function mark_changed_part();
