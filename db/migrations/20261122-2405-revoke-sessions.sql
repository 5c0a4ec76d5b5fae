-- Sessions of the gateway are signed, not stored; what is stored is which of them are over before their hour.

create table revoked_sessions (
  -- Hash of the transaction that paid for one, or address of who paid for several.
  subject text primary key check (subject ~ '^0x([0-9a-f]{40}|[0-9a-f]{64})$'),
  -- Those that were paid for until then.
  revoked_at timestamptz not null default now()
);
grant select on revoked_sessions to api;

-- Shared portfolios are shown at the gateway as well.
grant execute on function open_share(bytea, bytea) to gateway;
