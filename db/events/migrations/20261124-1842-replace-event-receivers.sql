-- It takes the hash of the transaction too, and returns whether the account was told of it before.
drop function if exists event_receivers(text, bigint, text, jsonb);
