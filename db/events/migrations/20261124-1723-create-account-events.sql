-- Events as accounts get them, in the order of `seq`. One writer gives the numbers (../functions/publish_events.sql), so
-- they commit in order, and a reader of `seq > n` misses nothing.
create table account_events (
  seq bigint,                          -- null while held
  account_id uuid not null,
  id uuid not null,                    -- also that of its charge
  type text not null,
  wallet_id bigint,
  network_id text,
  tx_hash text,
  body text not null,                  -- the envelope, as it is sent
  credits smallint not null,
  held boolean not null,               -- the account has no credits for it; sent and charged when it has
  created_at timestamptz not null,
  unique (seq, created_at),
  check (held = (seq is null))
) partition by range (created_at);
create index account_events_of_account on account_events (account_id, seq);
create index account_events_held on account_events (account_id, created_at, id) where held;

create sequence event_numbers;

grant select on account_events to ingest, api;
