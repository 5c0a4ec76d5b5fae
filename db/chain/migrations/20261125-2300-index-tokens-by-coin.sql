-- Derive asks for all contracts of the coins that moved.
drop index concurrently if exists tokens_by_coin;
create index concurrently tokens_by_coin on tokens (network_id, coin_id);
