-- The revision of a series changes with every change of its transactions: whoever has a page at hand, and its revision,
-- need not read it again. At random, so that no other state has ever had the same one, in a restored database neither.
alter table wallet_transaction_counts add column revision uuid;  -- null: it has not changed since there are revisions

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

-- Nothing of Sluice changes them in place; whoever does by hand is seen as well.
create function revise_wallet_transactions() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update wallet_transaction_counts as count set revision = gen_random_uuid()
    from (select distinct wallet_id, network_id from changed) as change
    where count.wallet_id = change.wallet_id and count.series in ('', change.network_id);
  return null;
end $$;
create trigger revise_updated after update on wallet_transactions
  referencing new table as changed for each statement execute function revise_wallet_transactions();
