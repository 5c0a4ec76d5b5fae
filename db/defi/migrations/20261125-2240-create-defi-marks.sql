-- Wallets whose DeFi positions are to be read: something happened to them since the last read, or it did not answer.
-- A quiet wallet has no row.
create table defi_marks (
  wallet_id bigint not null,
  network_id text not null,
  marked_at timestamptz not null default clock_timestamp(),  -- a read that began before may have missed the reason
  block_number bigint,                 -- an older block does not have it; null: any block does
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  primary key (wallet_id, network_id)
);
create index defi_marks_next on defi_marks (next_at);
grant select, insert, update, delete on defi_marks to ingest;
grant select on defi_marks to api;

insert into defi_marks (wallet_id, network_id)
select wallet_id, network_id
from wallet_syncs as sync left join defi_reads as read using (wallet_id, network_id)
where synced_at is not null and network_id in (select network_id from defi_deployments)
  and (read.complete_at is null or read.failure is not null or read.failed_at > read.complete_at
    or read.complete_at < greatest(sync.synced_at, (
      select fetched_at from wallet_transactions as row
      where row.wallet_id = sync.wallet_id and row.network_id = sync.network_id
      order by at desc, tx_index desc, hash desc limit 1)));
