-- How far the sync of an exchange account is. `since`: when it was asked for.
create or replace function exchange_sync_state(connection_id uuid, since timestamptz)
returns table (taken boolean, streams int, complete int, stored bigint, covered_to timestamptz, synced_at timestamptz,
  failed_at timestamptz, failure text)
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (
      select from outbox where workflow_id = 'exchange:' || exchange_sync_state.connection_id and dispatched_at is null
    ), count(c.stream)::int, (count(*) filter (where c.complete_at >= since))::int, coalesce(sum(c.rows), 0)::bigint,
    known.covered_to, known.synced_at, known.failed_at, known.failure
  from exchange_connections known left join exchange_cursors c on c.connection_id = known.id
  where known.id = exchange_sync_state.connection_id
  group by known.id
$$;
revoke all on function exchange_sync_state from public;
grant execute on function exchange_sync_state to console;
