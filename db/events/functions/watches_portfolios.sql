-- Whether an account watches its portfolios for events of a type: by a stream, its pages or an endpoint.
create or replace function watches_portfolios(account_id uuid, kind text) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (
    select from event_subscriptions s left join webhook_endpoints e on e.id = s.endpoint_id
    where s.account_id = $1 and s.wallet_id is null and (s.expires_at is null or s.expires_at > now())
      and $2 = any (coalesce(e.types, s.types, array[$2])))
$$;
revoke all on function watches_portfolios from public;
grant execute on function watches_portfolios to ingest;
