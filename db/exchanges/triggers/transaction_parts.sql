-- Figures are others where a part counts and where it would count.
create or replace trigger part_changed after insert or update or delete on transaction_parts
  for each row execute function mark_changed_part();
