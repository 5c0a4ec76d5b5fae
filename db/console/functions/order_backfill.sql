-- Asks for the missing prices of coins in a span. The workflow id contains the time, because another span may be fetched
-- at the same time.
create or replace function order_backfill(
  resolution text, coin_ids text[], from_ms bigint, to_ms bigint, operator text
) returns void
language sql security definer set search_path = public, pg_temp as $$
  with asked as (
    insert into outbox (workflow, workflow_id, input) values (
      'fillPriceHistory',
      'fill-price-history:' || resolution || ':' || from_ms || ':' || to_ms || ':'
        || floor(extract(epoch from clock_timestamp()) * 1000),
      jsonb_build_object('resolution', resolution, 'coinIds', coin_ids, 'fromMs', from_ms, 'toMs', to_ms)
    )
  )
  insert into operator_actions (operator, action, subject) values (
    operator, 'back-fill prices by ' || resolution || ' of ' || cardinality(coin_ids) || ' coins',
    to_char(to_timestamp(from_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') || ' to '
      || to_char(to_timestamp(to_ms / 1000.0) at time zone 'UTC', 'YYYY-MM-DD')
  )
$$;
revoke all on function order_backfill from public;
grant execute on function order_backfill to console;
