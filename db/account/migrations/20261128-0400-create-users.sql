-- People who sign in at the embedded OpenID provider. They come by invitation only.
create table users (
  subject text primary key default gen_random_uuid()::text,   -- "sub" of their tokens
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$'),   -- what they type to sign in
  password_hash text,                       -- argon2id with its parameters and salt; null: none was chosen yet
  created_at timestamptz not null default now(),
  disabled_at timestamptz,                  -- null: may sign in
  signed_in_at timestamptz                  -- the last time; null: never
);

-- The link with which a user chooses a password. A user has one at a time, and it works once.
create table user_invitations (
  user_subject text primary key references users on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),   -- SHA-256 of the token in the link
  expires_at timestamptz not null
);

-- Wrong tries by name, whether or not a user has it, and by address of the client.
create table sign_in_tries (
  kind text not null check (kind in ('name', 'address')),
  key text not null,
  wrong int not null,                       -- since the last right one
  locked_until timestamptz,                 -- null: it was not locked
  last_at timestamptz not null,
  primary key (kind, key)
);
create index sign_in_tries_by_age on sign_in_tries (last_at);

-- What the provider keeps: its sessions, sign-ins that have begun, grants and authorization codes.
create table issuer_records (
  model text not null,
  hash bytea not null check (octet_length(hash) = 32),   -- SHA-256 of the id, which is not stored
  payload jsonb not null,                   -- without the id
  uid text,                                 -- of sessions
  grant_id text,
  consumed_at timestamptz,                  -- of codes; null: not used
  expires_at timestamptz not null,
  primary key (model, hash)
);
create index issuer_records_by_uid on issuer_records (uid) where uid is not null;
create index issuer_records_by_grant on issuer_records (grant_id) where grant_id is not null;
create index issuer_records_by_subject on issuer_records ((payload ->> 'accountId'));
create index issuer_records_by_end on issuer_records (expires_at);
