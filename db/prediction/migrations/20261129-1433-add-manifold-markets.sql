alter table prediction_markets
  drop constraint prediction_markets_venue_check,
  add constraint prediction_markets_venue_check check (venue in ('polymarket', 'kalshi', 'limitless', 'predictit', 'manifold')) not valid;
