-- Blocks that no source gives the history of, and why. Null: none.
alter table wallet_syncs
  add column gap_from bigint,
  add column gap_to bigint,
  add column gap_reason text;
