-- What an account wants to be told about besides its wallets: a price that it waits for, a value that moves.
create table alert_rules (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  endpoint_id uuid references webhook_endpoints on delete cascade,  -- null: every endpoint that wants the type
  kind text not null,                  -- type of its events
  subject text not null,               -- id of the coin, portfolio or market
  rule jsonb not null,                 -- when it fires, as the account states it
  armed boolean not null default true, -- false: it has fired, and its value is not far enough behind yet
  fired_at timestamptz,
  created_at timestamptz not null default now()
);
create index alert_rules_of_subject on alert_rules (kind, subject);
create index alert_rules_of_account on alert_rules (account_id, created_at, id);

grant select, update on alert_rules to ingest;
grant select on alert_rules to api;
