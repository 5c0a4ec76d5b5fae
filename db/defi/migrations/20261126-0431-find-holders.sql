-- Wallets with positions, the longest unread first.
drop index concurrently if exists defi_reads_holders;
create index concurrently defi_reads_holders on defi_reads (greatest(fetched_at, failed_at), wallet_id, network_id)
  where is_holder;
