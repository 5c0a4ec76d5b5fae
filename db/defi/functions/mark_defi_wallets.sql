-- Marks the wallets of new or deleted transactions, in the statement that writes them: whoever writes them, a
-- position may have changed. In one order, so that concurrent statements cannot deadlock.
create or replace function mark_defi_wallets() returns trigger language plpgsql as $$
begin
  insert into defi_marks (wallet_id, network_id, block_number)
  select wallet_id, network_id, max(block_number) from changed
  where network_id in (select network_id from defi_deployments)
  group by 1, 2 order by 1, 2
  on conflict (wallet_id, network_id) do update set marked_at = clock_timestamp(), next_at = clock_timestamp(),
    attempts = 0, block_number = excluded.block_number;
  return null;
end $$;
