-- Ethereum accounts with which users sign in. Each signs in one user.
create table user_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  user_subject text not null references users on delete cascade,
  added_at timestamptz not null default now()
);
create index user_wallets_by_user on user_wallets (user_subject);

-- What a wallet was asked to sign. Each is used once.
create table wallet_challenges (
  hash bytea primary key check (octet_length(hash) = 32),   -- SHA-256 of the nonce
  purpose text not null,                    -- the sign-in or the session to which it belongs
  address text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
create index wallet_challenges_by_end on wallet_challenges (expires_at);
