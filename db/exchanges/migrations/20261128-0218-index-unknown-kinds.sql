-- Kinds of entries without a meaning, for their owner.
drop index concurrently if exists exchange_transactions_unknown;
create index concurrently exchange_transactions_unknown on exchange_transactions (connection_id, unknown_kind)
  where unknown_kind is not null;
