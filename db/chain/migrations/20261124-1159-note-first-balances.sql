-- When the balances were stored that are served until the first sync is complete; null: none.
alter table wallet_syncs add column balances_at timestamptz;
