-- Decides the rules of prediction markets that were stored, in the transaction that stores them with their outcomes.
-- Without rules, a page of markets costs one look at the index.
create or replace function decide_market_alerts(market_ids integer[]) returns void
language plpgsql as $$
begin
  if not exists (select from alert_rules where kind in ('market.price', 'market.resolved')) then return; end if;
  with turned as (
    -- Two pages with the same markets wait for each other here, and the second one judges anew.
    select r.id, s.side from alert_rules r cross join lateral market_alert_side(r.kind, r.rule, r.subject::integer) as s (side)
    where r.kind in ('market.price', 'market.resolved') and r.subject = any (market_ids::text[])
      and r.armed = (s.side > 0) and s.side <> 0
    order by r.id for no key update of r
  ), kept as (
    update alert_rules r set armed = turned.side < 0,
      fired_at = case when turned.side > 0 then now() else r.fired_at end
    from turned where r.id = turned.id returning r.*
  )
  insert into event_sources (kind, account_id, payload)
  select r.kind, r.account_id, jsonb_build_object('endpointId', r.endpoint_id, 'data', jsonb_build_object(
      'alertId', r.id, 'marketId', r.subject, 'slug', m.slug, 'venue', m.venue, 'question', m.question, 'status', m.status,
      'outcomes', (select jsonb_agg(jsonb_build_object('id', o.market_id || '-' || o.position, 'name', o.name,
          'price', o.price, 'winner', o.payout = 1) order by o.position)
        from prediction_outcomes o where o.market_id = m.id),
      'rule', r.rule))
  from kept r join prediction_markets m on m.id = r.subject::integer
  where not r.armed order by r.created_at, r.id;
end $$;
revoke all on function decide_market_alerts from public;
grant execute on function decide_market_alerts to ingest;
