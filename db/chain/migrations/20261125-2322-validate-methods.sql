alter table network_follows
  validate constraint network_follows_mode,
  validate constraint network_follows_method;
