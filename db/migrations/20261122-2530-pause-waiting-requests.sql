-- Until when a source is left alone: for requests that had got their turn before it asked for that. next_request_at, which
-- all later ones go by, says as much, but not whether it moved for a pause or for the turns of others.
alter table source_states add column paused_until timestamptz not null default '-infinity';
