-- Ranks the changed series again: that of each network, and that of all synced networks.
create or replace function rank_changed_wallet_transactions() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  change record;
begin
  for change in
    select wallet_id, network_id as series, min(at) as from_at from changed group by wallet_id, network_id
    union all
    select wallet_id, '', min(at) from changed join wallet_syncs using (wallet_id, network_id)
    where synced_at is not null group by wallet_id
    order by 1, 2 desc
  loop
    perform rank_wallet_transactions(change.wallet_id, change.series, change.from_at);
  end loop;
  return null;
end $$;
