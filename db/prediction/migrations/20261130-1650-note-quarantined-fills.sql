-- Whether fills of a market were quarantined since it was last read from its newest fill.
alter table prediction_trade_states add column has_quarantined boolean not null default false;

-- Which markets earlier ones were of is not known, so all of their venues can be read again.
update prediction_trade_states as state set has_quarantined = true
from prediction_markets as market
where market.id = state.market_id and exists (
  select from quarantine
  where area = 'prediction' and source = case market.venue when 'polymarket' then 'polymarket-data' else market.venue end
);
