-- Where the value of a rule that is being stated is (alert_side). Null: unknown.
create or replace function alert_side_now(kind text, subject text, rule jsonb) returns integer
language sql stable as $$
  select case
    when $1 = 'coin.price' then (
      select s.side from coin_quotes q cross join lateral coin_alert_side($3, q.coin_id, q.price_usd, q.at) s
      where q.coin_id = $2)
    when $1 like 'market.%' then market_alert_side($1, $3, $2::integer)
  end
$$;
revoke all on function alert_side_now from public;
grant execute on function alert_side_now to api;
