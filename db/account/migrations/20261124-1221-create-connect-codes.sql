-- What users of apps chose to connect. The app's server redeems each code once, with an API key of the account of the
-- kit; a wallet is connected only then, so nobody who knows a kit can fill the account with wallets.
create table connect_codes (
  hash bytea primary key check (octet_length(hash) = 32),  -- SHA-256 of the code; the code itself is not stored
  kit_id uuid not null references connect_kits on delete cascade,
  account_id uuid not null references accounts,
  portfolio_id uuid not null,          -- of a wallet that is not connected yet: the id that it gets
  address text,                        -- of a wallet, with its network; null: an exchange account
  network_id text references networks,
  existed boolean not null,            -- an exchange account that was connected before
  nonce text unique,                   -- of the message that the wallet signed; null: it signed none
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  check ((address is null) = (network_id is null))
);
create index connect_codes_of_kit on connect_codes (kit_id);
create index connect_codes_by_end on connect_codes (expires_at);
grant select on connect_codes to api;
