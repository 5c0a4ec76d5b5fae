-- Where the price of a coin is for a rule (alert_side), which is armed again half a percent behind its limit. `change`:
-- how far it has moved in the window of the rule, in percent, from the hourly price in force at its beginning. Null, as
-- long as there is none: the rule waits.
create or replace function coin_alert_side(
  rule jsonb, coin_id text, price numeric, at timestamptz, out side integer, out change numeric
)
language plpgsql stable as $$
#variable_conflict use_variable
declare
  since timestamptz := at - make_interval(secs => (rule->>'windowSeconds')::integer);
  edge numeric := coalesce(rule->>'above', rule->>'below')::numeric;
begin
  if since is null then
    side := alert_side(price, (rule->>'above')::numeric, (rule->>'below')::numeric, edge * 0.005);
  else
    select (price / h.usd - 1) * 100 into change from price_hours h
      where h.coin_id = coin_alert_side.coin_id and h.at <= since and h.at > since - interval '2 hours' and h.usd > 0
      order by h.at desc limit 1;
    side := alert_side(abs(change), (rule->>'changePercent')::numeric, null, 0.5);
  end if;
end $$;
revoke all on function coin_alert_side from public;
grant execute on function coin_alert_side to ingest, api;
