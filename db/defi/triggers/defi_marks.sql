-- What marks wallets: the tables are of the chain area.
create or replace trigger defi_inserted after insert on wallet_transactions
  referencing new table as changed for each statement execute function mark_defi_wallets();
create or replace trigger defi_deleted after delete on wallet_transactions
  referencing old table as changed for each statement execute function mark_defi_wallets();
create or replace trigger defi_synced after update on wallet_syncs for each row
  when (old.synced_at is null and new.synced_at is not null) execute function mark_synced_defi_wallet();
create or replace trigger defi_begun after insert on wallet_syncs for each row
  when (new.synced_at is not null) execute function mark_synced_defi_wallet();
