-- The keys of accounts, without what is secret.
create or replace view operations.account_keys as
select account_id, prefix, name, read_only, opens, created_at, expires_at, revoked_at from api_keys;
grant select on operations.account_keys to console;
