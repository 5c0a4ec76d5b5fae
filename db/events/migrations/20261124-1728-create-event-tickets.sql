-- Tickets open one stream each, for browsers, which send no key with it.
create table event_tickets (
  hash bytea primary key check (octet_length(hash) = 32),  -- SHA-256 of the ticket; the ticket itself is not stored
  account_id uuid not null references accounts on delete cascade,
  expires_at timestamptz not null
);
create index event_tickets_by_end on event_tickets (expires_at);
