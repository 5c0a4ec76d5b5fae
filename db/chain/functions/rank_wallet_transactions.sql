-- Ranks the rows of many series again, each from an instant on, and gives each a new revision. The locks on the count
-- rows, taken in one order, serialise writers. Planning takes far longer than running, so a connection plans once.
-- Plans are kept from when the tables were small, so none of them may scan a table, and none joins two of them.
create or replace function rank_wallet_transactions(for_wallets bigint[], for_series text[], from_instants timestamptz[])
returns void
language plpgsql set search_path = public, pg_temp set enable_seqscan = off
  set plan_cache_mode = force_generic_plan as $$
begin
  insert into wallet_transaction_counts as count (wallet_id, series, rows)
    select wallet_id, series, 0 from unnest(for_wallets, for_series) as changed (wallet_id, series) order by 1, 2 desc
    on conflict (wallet_id, series) do update set rows = count.rows;
  delete from wallet_transaction_anchors as anchor
    using unnest(for_wallets, for_series, from_instants) as changed (wallet_id, series, from_at)
    where anchor.wallet_id = changed.wallet_id and anchor.series = changed.series and at >= from_at;
  with changed as materialized (
    select wallet_id, series, coalesce(last.rank, 0) as rank, coalesce(last.at, '-infinity') as at,
      coalesce(last.network_id, '') as network_id, coalesce(last.tx_index, 0) as tx_index, coalesce(last.hash, '') as hash,
      case when series <> '' then array[series] else array(
        select network_id from wallet_syncs as sync where wallet_id = one.wallet_id and synced_at is not null
          and exists (select from networks where id = sync.network_id and in_all)) end as networks
    from unnest(for_wallets, for_series) as one (wallet_id, series)
    left join lateral (
      select * from wallet_transaction_anchors
      where wallet_id = one.wallet_id and series = one.series order by rank desc limit 1) as last using (wallet_id, series)
  ), ranked as materialized (
    select changed.wallet_id, changed.series, row.at, row.network_id, row.tx_index, row.hash,
      -- A series without further rows keeps the rank of its last anchor.
      changed.rank + case when row.hash is null then 0 else row_number() over (
        partition by changed.wallet_id, changed.series order by row.at, row.network_id, row.tx_index, row.hash) end as rank
    from changed left join lateral (
      select at, network_id, tx_index, hash from wallet_transactions as one
      where one.wallet_id = changed.wallet_id and one.network_id = any(changed.networks) and one.at >= changed.at
        and (one.at, one.network_id, one.tx_index, one.hash)
          > (changed.at, changed.network_id, changed.tx_index, changed.hash)) as row on true
  ), anchored as (
    insert into wallet_transaction_anchors
    select wallet_id, series, rank, at, network_id, tx_index, hash from ranked where rank % 50 = 0 and hash is not null
  )
  insert into wallet_transaction_counts as count (wallet_id, series, rows, revision)
    select wallet_id, series, max(rank), gen_random_uuid() from ranked group by wallet_id, series order by 1, 2 desc
    on conflict (wallet_id, series) do update set rows = excluded.rows, revision = excluded.revision;
end $$;
-- Its earlier form goes in the transaction that replaces those that called it.
drop function if exists rank_wallet_transactions(bigint, text, timestamptz);
