-- The revision of a fold to which its rows in coin_fold_days belong. Another one, or none: the fold is due, from its
-- beginning, as after a run of a release that does not write them.
alter table folds add column days_revision bigint;
