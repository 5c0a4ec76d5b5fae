-- First block from which on the follower matches the wallet; null: the follower has still to take it up.
alter table wallet_syncs add column covered_from bigint;
