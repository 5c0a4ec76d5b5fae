-- Ends the sessions of a subject whose account changes.
create or replace trigger end_sessions after insert or delete on identities
  for each row execute function end_sessions_of_changed();
create or replace trigger end_sessions_of_relinked after update on identities
  for each row when (old is distinct from new) execute function end_sessions_of_changed();
