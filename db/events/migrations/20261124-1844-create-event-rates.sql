-- How many events an account may be sent at once, refilled by its plan's events a second. Accounts without a row have
-- all of a second.
create table event_rates (
  account_id uuid primary key references accounts on delete cascade,
  room double precision not null,      -- at that time
  at timestamptz not null
) with (fillfactor = 50);
