-- Requests of syncs, the only rows of the outbox that the API may read.
create or replace view exchange_sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncExchange';
grant select on exchange_sync_requests to api;
