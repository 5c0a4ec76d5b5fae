-- squawk-ignore-file constraint-missing-not-valid
-- The table has the names and addresses that failed to sign in, which are few.
-- The app that makes a user's codes (TOTP, RFC 6238). The secret is sealed: only the provider has the key.
create table user_totp (
  user_subject text primary key references users on delete cascade,
  key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  confirmed_at timestamptz,                 -- null: the user has not entered a first code
  last_step bigint                          -- 30 s since 1970 of the newest code that was accepted; null: none
);

-- Each signs in once in place of a code.
create table user_recovery_codes (
  user_subject text not null references users on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),   -- SHA-256 of the code, which has 80 random bits
  primary key (user_subject, hash)
);

alter table sign_in_tries drop constraint sign_in_tries_kind_check;
alter table sign_in_tries add constraint sign_in_tries_kind_check check (kind in ('name', 'code', 'address'));
