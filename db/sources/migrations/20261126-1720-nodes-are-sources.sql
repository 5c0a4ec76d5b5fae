-- squawk-ignore-file changing-column-type
-- The table has a row for each source, a hundred.
-- Nodes are sources too: one has the allowance of its vendor, which it may share, and is asked when it is needed.
-- The views are made anew by this release.
drop view if exists operations.sources;
drop view if exists operations.source_health;
drop view if exists operations.node_usage;
drop table node_allowances;
alter table sources
  add column account text,              -- whose allowance it shares with other sources; null: it has its own
  add column unit text,                 -- what the vendor counts; null: there is no quota
  alter column quota type bigint,
  alter column requests_per_second drop not null, -- null: no limit is known
  alter column burst drop not null,
  alter column freshness_target_s drop not null;  -- null: asked only when it is needed, and never late
update sources set unit = 'requests' where quota is not null;
