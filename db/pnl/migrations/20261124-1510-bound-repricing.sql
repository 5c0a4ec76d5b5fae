-- The last instant whose legs may lack a newer price, so that a late transaction does not cost the prices of all
-- legs since.
alter table pl_states add repriced_to timestamptz not null default '-infinity';
update pl_states set repriced_to = 'infinity' where repriced_from is not null;
