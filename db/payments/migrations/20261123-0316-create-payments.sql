-- Payments of the x402 gateway: one row for each authorization that was claimed, kept as the record of what was paid.
-- The gateway reaches them through functions (../functions), as role `gateway`, which has no right on the tables. Several
-- gateways may share them: the key of a payment and the clock of this database decide between them.

-- Processes of the gateway that are alive. Unlogged: after a crash of the server they all count as gone until they say
-- otherwise, and a claim that was taken over by another is lost without harm.
create unlogged table payment_owners (
  id uuid primary key,
  alive_until timestamptz not null
) with (fillfactor = 50);

create table payments (
  id uuid primary key default uuidv7(),
  chain_id integer not null,
  asset text not null check (asset ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  amount bigint not null check (amount > 0),            -- base units of the asset
  resource_key bytea not null check (octet_length(resource_key) = 32),              -- what it was first used for
  authorization_hash bytea not null check (octet_length(authorization_hash) = 32),  -- of all that was signed, and the signature
  valid_before timestamptz not null,
  -- claimed: being verified. settling: the answer is stored, which happens while the facilitator verifies: it does not say
  -- that the payment is good. A process that dies meanwhile leaves a payment of which nobody knows whether it was verified,
  -- or settled: it is looked up on the chain, and settled only when its payer presents it again, who else may have been told
  -- that it was refused, and have paid anew. unknown: the facilitator was asked to settle it, and whether the payer was
  -- charged is not known. failed: it cannot be charged, or the facilitator refused it unsent. lost: a reorganisation of the
  -- chain has taken a settled one away: its session is over, its answer is not given again, and it is settled once more when
  -- the chain has it again.
  state text not null default 'claimed'
    check (state in ('claimed', 'settling', 'settled', 'failed', 'unknown', 'lost')),
  claim uuid not null,                                  -- of the request that claimed it: another one's is void
  owner uuid,                                           -- the process that has it in hand
  try_after timestamptz not null,                       -- until then it is its owner's, while that one lives
  settles integer not null default 0,                   -- how often the facilitator was asked to settle it
  nonce_used boolean not null default false,            -- the facilitator found the nonce used: paid, or cancelled
  request text,                                         -- body for the facilitator, with the signature; null once final
  transaction text check (transaction ~ '^0x[0-9a-f]{64}$'),
  extra text,                                           -- JSON of the facilitator's acknowledgement
  last_error text,
  claimed_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  unproven_at timestamptz,                              -- when its answer was given without a proof of payment
  block_number bigint,                                  -- that holds the transaction; null: no node was asked
  pay_to text,                                          -- who was paid; null as long as block_number is
  unique (chain_id, asset, payer, nonce),
  constraint payments_proof_check check ((state in ('settled', 'lost')) = (transaction is not null)),
  constraint payments_settled_at_check check ((state in ('settled', 'lost')) = (settled_at is not null)),
  constraint payments_check2 check ((state in ('settling', 'unknown')) = (request is not null))
);
-- A transaction pays for one call.
create unique index payments_by_transaction on payments (chain_id, transaction) where transaction is not null;
create index payments_open on payments (try_after) where state in ('claimed', 'settling', 'unknown');
-- Settled payments of the newest blocks are looked at again.
create index payments_by_block on payments (block_number) where block_number is not null;
-- Lost payments are few, and counted often.
create index payments_lost on payments (settled_at) where state = 'lost';
create index payments_unproven on payments (payer, unproven_at) where unproven_at is not null;

-- What a payer is owed, or may fetch again until an hour after the authorization has ended.
create table payment_answers (
  payment_id uuid primary key references payments on delete cascade,
  status_code integer not null,
  content_type text not null,
  headers jsonb not null,
  body bytea not null,
  expires_at timestamptz not null
);
alter table payment_answers alter body set storage external;  -- to compress it for an hour costs more than the space
create index payment_answers_by_expiry on payment_answers (expires_at);

-- Sessions of the gateway are signed, not stored; what is stored is which of them are over before their hour.

create table revoked_sessions (
  -- Hash of the transaction that paid for one, or address of who paid for several.
  subject text primary key check (subject ~ '^0x([0-9a-f]{40}|[0-9a-f]{64})$'),
  -- Those that were paid for until then.
  revoked_at timestamptz not null default now()
);
grant select on revoked_sessions to api;
