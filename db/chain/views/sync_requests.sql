-- When a sync was last asked for: what the API may see of the outbox.
create or replace view sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncWallet';
grant select on sync_requests to api;
