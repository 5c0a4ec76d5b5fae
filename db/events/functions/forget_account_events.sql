-- Deletes the events of accounts that are deleted. Partitions have no foreign key: it would lock the accounts whenever
-- one is made or dropped.
create or replace function forget_account_events() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from account_events where account_id = old.id;
  return null;
end $$;
revoke all on function forget_account_events from public;
