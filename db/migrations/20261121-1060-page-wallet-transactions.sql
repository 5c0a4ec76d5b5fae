-- Any page of a wallet's transactions for the price of the first one: every 50th row of a series is an anchor that a
-- page starts from. Rows are ranked from the oldest, so that new ones at the end move no anchor. A wallet has a series
-- per network, and the series '' of all networks that are synced.
create index wallet_transactions_by_network on wallet_transactions (wallet_id, network_id, at, tx_index, hash);

create table wallet_transaction_counts (
  wallet_id bigint not null,
  series text not null,                -- network, or '' for all synced networks
  rows bigint not null,
  primary key (wallet_id, series)
);

create table wallet_transaction_anchors (
  wallet_id bigint not null,
  series text not null,
  rank bigint not null,                -- 50, 100, ..: the position of the row, counted from the oldest
  at timestamptz not null,
  network_id text not null,
  tx_index integer not null,
  hash text not null,
  primary key (wallet_id, series, rank)
);

-- Ranks the rows of a series anew from an instant on. The row of its count orders the writers.
create function rank_wallet_transactions(for_wallet bigint, for_series text, from_at timestamptz) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  networks text[];
  last wallet_transaction_anchors;
  total bigint;
begin
  insert into wallet_transaction_counts values (for_wallet, for_series, 0)
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
  update wallet_transaction_counts set rows = total where wallet_id = for_wallet and series = for_series;
end $$;

create function rank_changed_wallet_transactions() returns trigger
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

create trigger rank_inserted after insert on wallet_transactions
  referencing new table as changed for each statement execute function rank_changed_wallet_transactions();
create trigger rank_deleted after delete on wallet_transactions
  referencing old table as changed for each statement execute function rank_changed_wallet_transactions();

-- A network that becomes synced joins the series of all.
create function rank_synced_wallet() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform rank_wallet_transactions(coalesce(new.wallet_id, old.wallet_id), '', '-infinity');
  return null;
end $$;

create trigger rank_on_sync after update on wallet_syncs for each row
  when ((old.synced_at is null) <> (new.synced_at is null)) execute function rank_synced_wallet();
create trigger rank_on_synced_insert after insert on wallet_syncs for each row
  when (new.synced_at is not null) execute function rank_synced_wallet();
create trigger rank_on_delete after delete on wallet_syncs for each row
  when (old.synced_at is not null) execute function rank_synced_wallet();

grant select, insert, update, delete on wallet_transaction_counts, wallet_transaction_anchors to ingest;
grant select on wallet_transaction_counts, wallet_transaction_anchors to api;

-- When a sync was last asked for: what the API may see of the outbox.
create view sync_requests as
  select workflow_id, created_at as requested_at from outbox where workflow = 'syncWallet';
create index outbox_by_workflow on outbox (workflow_id, created_at);
grant select on sync_requests to api;
