-- squawk-ignore-file constraint-missing-not-valid, disallowed-unique-constraint
-- The table is a few days old and small.
-- A stream subscribes by its types: two streams that want different ones have a row each, with an end of its own.
alter table event_subscriptions
  drop constraint event_subscriptions_account_id_endpoint_id_wallet_id_networ_key,
  add constraint event_subscriptions_once
    unique nulls not distinct (account_id, endpoint_id, wallet_id, network_id, types);
