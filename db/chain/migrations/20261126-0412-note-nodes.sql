-- The node whose branch is followed. After several rewinds of one height, another branch is taken only from
-- `held_until` on.
alter table network_follows
  add column node text,
  add column held_until timestamptz;
