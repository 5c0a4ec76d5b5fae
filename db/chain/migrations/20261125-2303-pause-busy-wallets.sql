-- A wallet with too many transactions in a day is not followed before this time; null: it is.
alter table wallet_syncs add column paused_until timestamptz;
