-- The revision of a fold to which its rows in lot_uses belong. Another one, or none: the fold is due, from its
-- beginning, as after a run of a release that does not write them.
alter table folds add column uses_revision bigint;
