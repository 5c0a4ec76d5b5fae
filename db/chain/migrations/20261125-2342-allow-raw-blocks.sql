-- Followers of Bitcoin read whole blocks.
alter table network_follows
  drop constraint network_follows_method,
  add constraint network_follows_method check (method in ('receipts', 'logs', 'ranges', 'raw')) not valid;
