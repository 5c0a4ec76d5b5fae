-- Files that owners import into their portfolios, until they confirm or the time is over. Preview and confirmation read
-- the same text, and only its id goes through the page.
create table import_uploads (
  id uuid primary key,
  account_id uuid not null references accounts,
  portfolio_id uuid not null references portfolios on delete cascade,
  -- A megabyte of bytes; each that is no UTF-8 takes three.
  body text not null check (octet_length(body) <= 3145728),
  sha256 bytea not null check (octet_length(sha256) = 32),   -- of the body
  previewed jsonb,                                           -- what the last preview showed; null: none was shown
  expires_at timestamptz not null,
  unique (account_id, portfolio_id, sha256)
);
create index import_uploads_of_portfolio on import_uploads (portfolio_id);
create index import_uploads_by_end on import_uploads (expires_at);
