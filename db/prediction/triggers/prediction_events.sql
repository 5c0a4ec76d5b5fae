-- Answers that all callers share are kept until the table changes.
create or replace trigger note_revision after insert or update or delete or truncate on prediction_events
  for each statement execute function note_revision();
-- What items are about and whether they are open changes seldom, while their prices change each minute. Lists of words are
-- kept until the former changes.
create or replace trigger note_labels after insert or delete on prediction_events
  for each row execute function note_revision('labels');
create or replace trigger note_changed_labels after update on prediction_events for each row
  when (old.search is distinct from new.search
    or old.status is distinct from new.status
    or old.venue is distinct from new.venue
    or old.category is distinct from new.category
    or old.tags is distinct from new.tags)
  execute function note_revision('labels');
create or replace trigger note_all_labels after truncate on prediction_events
  for each statement execute function note_revision('labels');
