drop index concurrently if exists folds_without_days;
create index concurrently folds_without_days on folds (scope_id) where days_revision is distinct from revision;
