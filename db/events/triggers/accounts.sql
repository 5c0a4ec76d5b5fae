-- The events of a deleted account go with it.
create or replace trigger account_events_deleted after delete on accounts
  for each row execute function forget_account_events();
