-- The deliveries of an event to those of its endpoints that get any. Events of one wallet have one lane. A paused or
-- disabled endpoint gets the event by a replay. Its caller sets the search path: see event_receivers.
create or replace function deliveries_of(seq bigint, wallet_id bigint, endpoint_ids uuid[])
returns table (endpoint_id uuid, seq bigint, lane smallint)
language sql stable as $$
  select e.id, $1, coalesce($2 % 4, 0)::smallint from webhook_endpoints e
  where e.id = any ($3) and e.state not in ('paused', 'disabled')
$$;
revoke all on function deliveries_of from public;
