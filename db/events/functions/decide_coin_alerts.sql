-- Decides the rules of the coins whose quotes the triggering statement wrote, in its transaction. Prices that were an
-- hour old when they came decide nothing: nobody is told of the past. Without rules, a batch costs one look at the index.
create or replace function decide_coin_alerts() returns trigger
language plpgsql as $$
begin
  if not exists (select from alert_rules where kind = 'coin.price') then return null; end if;
  with turned as (
    update alert_rules r set armed = judged.side < 0,
      fired_at = case when judged.side > 0 then now() else r.fired_at end
    from (
      select r.id, s.side, s.change, q.price_usd, q.at
      from changed q join alert_rules r on r.kind = 'coin.price' and r.subject = q.coin_id
      cross join lateral coin_alert_side(r.rule, q.coin_id, q.price_usd, q.at) s
      where q.at > q.fetched_at - interval '1 hour'
    ) judged
    where r.id = judged.id and r.armed = (judged.side > 0) and judged.side <> 0
    returning r.*, judged.price_usd, judged.at, judged.change
  )
  insert into event_sources (kind, account_id, payload)
  select kind, account_id, jsonb_build_object('endpointId', endpoint_id, 'data', jsonb_build_object(
      'alertId', id, 'coinId', subject, 'priceUsd', price_usd,
      'priceAt', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'changePercent', round(change, 4), 'rule', rule))
  from turned where not armed order by created_at, id;
  return null;
end $$;
