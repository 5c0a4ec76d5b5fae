-- What the check of idle wallets saw of each account. A wallet whose accounts are as they were, and whose history
-- reaches the block where they became so, needs no sync.
alter table wallet_accounts
  add column seen text,            -- balances of the account; null: never checked
  add column seen_block bigint,    -- block in which they were first seen so
  add column listed_at timestamptz; -- of the wallet's own account: when its token accounts were last listed
