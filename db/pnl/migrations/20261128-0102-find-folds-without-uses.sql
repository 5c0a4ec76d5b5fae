drop index concurrently if exists folds_without_uses;
create index concurrently folds_without_uses on folds (scope_id) where uses_revision is distinct from revision;
