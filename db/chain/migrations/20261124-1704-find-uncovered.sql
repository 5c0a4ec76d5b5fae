-- Wallets that the follower of a network has still to take up.
drop index concurrently if exists wallet_syncs_uncovered;
create index concurrently wallet_syncs_uncovered on wallet_syncs (network_id) where covered_from is null;
