-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on prediction_event_matches
  for each statement execute function note_revision();
