-- Where a prediction market is for a rule (alert_side), which is armed again half a percentage point behind its limit. A
-- rule without an outcome is about Yes, or the first outcome.
create or replace function market_alert_side(kind text, rule jsonb, market_id integer) returns integer
language sql stable as $$
  select case when $1 = 'market.resolved' then case when m.status in ('resolved', 'cancelled') then 1 else -1 end
    else alert_side(o.price, ($2->>'above')::numeric, ($2->>'below')::numeric, 0.005) end
  from prediction_markets m left join lateral (
    select o.price from prediction_outcomes o
    where o.market_id = m.id and ($2->>'outcomeId' is null or o.position = split_part($2->>'outcomeId', '-', 2)::integer)
    order by lower(o.name) = 'yes' desc, o.position limit 1
  ) o on true
  where m.id = $3
$$;
revoke all on function market_alert_side from public;
grant execute on function market_alert_side to ingest, api;
