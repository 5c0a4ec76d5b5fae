-- Marks a wallet whose history became complete and whose positions nobody has read completely yet.
create or replace function mark_synced_defi_wallet() returns trigger language plpgsql as $$
begin
  insert into defi_marks (wallet_id, network_id)
  select new.wallet_id, new.network_id
  where new.network_id in (select network_id from defi_deployments) and not exists (
    select from defi_reads where wallet_id = new.wallet_id and network_id = new.network_id and complete_at is not null)
  on conflict do nothing;
  return null;
end $$;
