-- Ranks the rows of a series again from an instant on and sets a new revision. The lock on the count row
-- serialises writers.
create or replace function rank_wallet_transactions(for_wallet bigint, for_series text, from_at timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  networks text[];
  last wallet_transaction_anchors;
  total bigint;
begin
  insert into wallet_transaction_counts (wallet_id, series, rows) values (for_wallet, for_series, 0)
    on conflict (wallet_id, series) do update set rows = wallet_transaction_counts.rows;
  networks := case when for_series <> '' then array[for_series] else array(
    select network_id from wallet_syncs where wallet_id = for_wallet and synced_at is not null) end;
  delete from wallet_transaction_anchors
    where wallet_id = for_wallet and series = for_series and at >= from_at;
  select * into last from wallet_transaction_anchors
    where wallet_id = for_wallet and series = for_series order by rank desc limit 1;
  with ranked as materialized (
    select at, network_id, tx_index, hash,
      coalesce(last.rank, 0) + row_number() over (order by at, network_id, tx_index, hash) as rank
    from wallet_transactions
    where wallet_id = for_wallet and network_id = any(networks) and at >= coalesce(last.at, '-infinity')
      and (at, network_id, tx_index, hash)
        > (coalesce(last.at, '-infinity'), coalesce(last.network_id, ''), coalesce(last.tx_index, 0), coalesce(last.hash, ''))
  ), anchored as (
    insert into wallet_transaction_anchors
    select for_wallet, for_series, rank, at, network_id, tx_index, hash from ranked where rank % 50 = 0
  )
  select coalesce(max(rank), last.rank, 0) into total from ranked;
  update wallet_transaction_counts set rows = total, revision = gen_random_uuid()
    where wallet_id = for_wallet and series = for_series;
end $$;
