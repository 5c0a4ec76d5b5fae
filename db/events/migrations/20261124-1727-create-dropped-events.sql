-- The newest event of an account that is too old to be kept: a reader that has read less than that has missed some.
create table dropped_events (
  account_id uuid primary key references accounts on delete cascade,
  seq bigint not null
);
grant select on dropped_events to api;
-- Tells numbers that nobody has been given yet.
grant select on sequence event_numbers to api;
