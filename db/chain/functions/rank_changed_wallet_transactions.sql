-- Ranks the changed series again: that of each network, and that of the synced networks of `all`.
create or replace function rank_changed_wallet_transactions() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform rank_wallet_transactions(array_agg(wallet_id), array_agg(series), array_agg(from_at))
  from (
    select wallet_id, network_id as series, min(at) as from_at from changed group by wallet_id, network_id
    union all
    select wallet_id, '', min(at) from changed join wallet_syncs using (wallet_id, network_id)
    where synced_at is not null and exists (select from networks where id = network_id and in_all) group by wallet_id
  ) as change
  having count(*) > 0;
  return null;
end $$;
