-- The accounts that get an event of a wallet, each once, with those of their endpoints that want it. `is_told`: the
-- account was told of the transaction before it was confirmed. Those that were told get its later states even if its
-- value has changed meanwhile; that a reorg takes it is told to nobody else. Its caller sets the search path: a function
-- that sets one is not made part of a statement, and takes ten times as long.
create or replace function event_receivers(
  kind text, wallet_id bigint, network_id text, tx_hash text, payload jsonb
) returns table (account_id uuid, endpoint_ids uuid[], is_told boolean)
language sql stable as $$
  select w.account_id,
    coalesce(array_agg(distinct w.endpoint_id) filter (where w.endpoint_id is not null), '{}'),
    bool_or(told.account_id is not null)
  from event_watchers w
  -- By its key: with a plan for all endpoints each event would read all of them.
  left join lateral (select id, types, options from webhook_endpoints where id = w.endpoint_id limit 1) e on true
  left join told_transactions told on $1 = 'wallet.transaction'
    and told.network_id = $3 and told.wallet_id = $2 and told.tx_hash = $4 and told.account_id = w.account_id
  cross join lateral (select
    coalesce(e.types, w.types) as types,
    coalesce((e.options ->> 'includeSpam')::boolean, false) as spam,
    coalesce((e.options ->> 'minValueUsd')::numeric, 0) as least_usd,
    coalesce(e.options ->> 'confirmed', 'both') as confirmed,
    told.account_id is not null and (e.id is null or e.id = any (told.endpoint_ids)) as knows_it) o
  where w.wallet_id = $2 and (w.network_id = $3 or w.network_id is null and (select in_all from networks where id = $3))
    and (o.types is null or $1 = any (o.types))
    and ($1 <> 'wallet.transaction' or case
      when payload ->> 'status' = 'reorged' then o.knows_it
      when o.confirmed = 'first' and not (payload ->> 'first')::boolean then false
      when o.confirmed = 'only' and payload ->> 'status' <> 'confirmed' then false
      else o.knows_it or ((o.spam or (payload ->> 'identified')::boolean)
        and coalesce(abs((payload #>> '{row,main,valueUsd}')::numeric), 0) >= o.least_usd)
      end)
  group by w.account_id
$$;
revoke all on function event_receivers from public;
