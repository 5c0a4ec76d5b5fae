-- Followers read the logs of blocks where a node refuses receipts, and ranges where its allowance bears no more.
alter table network_follows
  drop constraint network_follows_mode,
  drop constraint network_follows_method,
  add constraint network_follows_mode check (mode in ('off', 'blocks', 'ranges')) not valid,
  add constraint network_follows_method check (method in ('receipts', 'logs', 'ranges')) not valid;
