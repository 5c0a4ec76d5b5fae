-- When a sync was last asked for: what the API may see of the outbox.
create or replace view exchange_sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncExchange';
grant select on exchange_sync_requests to api;
