-- Ends the sessions of a subject that becomes an operator or stops being one.
create or replace trigger end_sessions after insert or update or delete on operators
  for each row execute function end_sessions_of_changed();
