-- The endpoints that an event goes to, decided when it is made. Deliveries are queued when it gets its number.
alter table account_events add endpoint_ids uuid[] not null default '{}';
