alter table prediction_events
  drop constraint prediction_events_venue_check,
  add constraint prediction_events_venue_check check (venue in ('polymarket', 'kalshi', 'limitless', 'predictit', 'manifold')) not valid;
