-- A constraint trigger, which cannot be replaced, is the only one that runs at the end of its transaction.
drop trigger if exists end_write on past.writes;
create constraint trigger end_write after insert on past.writes
  deferrable initially deferred for each row execute function past.end_write();
