-- The accounts that get an event of a wallet, each once, with those of their endpoints that want it.
create or replace function event_receivers(kind text, wallet_id bigint, network_id text, payload jsonb)
returns table (account_id uuid, endpoint_ids uuid[])
language sql stable set search_path = public, pg_temp as $$
  select w.account_id,
    coalesce(array_agg(distinct w.endpoint_id) filter (where w.endpoint_id is not null), '{}')
  from event_watchers w
  left join webhook_endpoints e on e.id = w.endpoint_id
  cross join lateral (select
    coalesce(e.types, w.types) as types,
    coalesce((e.options ->> 'includeSpam')::boolean, false) as spam,
    coalesce((e.options ->> 'minValueUsd')::numeric, 0) as least_usd,
    coalesce(e.options ->> 'confirmed', 'both') as confirmed) o
  where w.wallet_id = $2 and (w.network_id is null or w.network_id = $3)
    and (o.types is null or $1 = any (o.types))
    and ($1 <> 'wallet.transaction' or (
      (o.spam or (payload ->> 'identified')::boolean)
      and coalesce(abs((payload #>> '{row,main,valueUsd}')::numeric), 0) >= o.least_usd
      and case o.confirmed
        when 'first' then (payload ->> 'first')::boolean or payload ->> 'status' = 'reorged'
        when 'only' then payload ->> 'status' <> 'unconfirmed'
        else true
      end))
  group by w.account_id
$$;
revoke all on function event_receivers from public;
