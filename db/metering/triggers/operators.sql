-- Whoever may do more or less than before signs in again.
create or replace trigger end_sessions after insert or update or delete on operators
  for each row execute function end_sessions_of_changed();
