-- The endpoints that get an event of their account alone: a ping goes to the one that it tests, what an endpoint cannot
-- be told any more to the others that want it, what happens to an exchange account to those that watch all portfolios, and
-- an alert to the one that it names, or to all that want it.
create or replace function account_event_endpoints(account_id uuid, kind text, payload jsonb) returns uuid[]
language sql stable set search_path = public, pg_temp as $$
  select coalesce(array_agg(e.id), '{}') from webhook_endpoints e
  where e.account_id = $1 and case
    when $2 = 'test.ping' then e.id::text = payload ->> 'endpointId'
    when $2 = 'endpoint.disabled' then $2 = any (e.types) and e.id::text <> payload ->> 'endpointId'
    when $2 like 'exchange.%' then $2 = any (e.types) and exists (
      select from event_subscriptions s where s.endpoint_id = e.id and s.wallet_id is null)
    when payload ->> 'endpointId' is not null then e.id::text = payload ->> 'endpointId'
    else $2 = any (e.types) end
$$;
revoke all on function account_event_endpoints from public;
