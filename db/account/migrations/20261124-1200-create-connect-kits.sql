-- Connect kits. With one, users of another app connect wallets and exchange accounts to the account that owns it. Pages
-- reach the table through functions (../functions), as role `account`.
create table connect_kits (
  id uuid primary key,                 -- public: frontends hold it
  account_id uuid not null references accounts,
  name text not null,                  -- the brand that users see
  logo text,                           -- an https: or data: URL
  appearance text not null check (appearance in ('system', 'light', 'dark')),
  accent text not null check (accent ~ '^#[0-9a-f]{6}$'),
  mode text not null check (mode in ('popup', 'redirect')),
  origins text[] not null,             -- whose windows get the result of a popup
  redirect_urls text[] not null,       -- where a redirect may end; compared whole
  created_at timestamptz not null default now()
);
create index connect_kits_of_account on connect_kits (account_id, created_at);
