-- Sync requests: the part of the outbox that the API may read.
create or replace view sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncWallet';
grant select on sync_requests to api;
