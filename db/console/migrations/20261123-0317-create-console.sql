-- The operators' console, as role `console`: it reads the views of this schema (../views), which show totals and states
-- and nothing that is a tenant's, and may ask for what was refused to be ingested again. It has no right on any table.
create schema operations;
grant usage on schema operations to console;
-- A worker shows how its sources stand.
grant usage on schema operations to ingest;
