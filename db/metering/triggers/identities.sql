-- Whoever may do more or less than before signs in again.
create or replace trigger end_sessions after insert or delete on identities
  for each row execute function end_sessions_of_changed();
create or replace trigger end_sessions_of_relinked after update on identities
  for each row when (old is distinct from new) execute function end_sessions_of_changed();
